package import CoreDataModel

/// SQLite's own check of a database.
///
/// Source: <https://sqlite.org/pragma.html#pragma_integrity_check>. It does not know Core
/// Data: a store with dangling references is sound to it.
package struct DatabaseAudit {
  /// The maximum number of messages to request.
  package static let maximumMessages = 100

  /// The maximum size of a value if the schema computes something for each row.
  ///
  /// Core Data makes no such schema; in a hostile schema, a few letters can ask for gigabytes.
  private static let longestComputedValue: Int32 = 1 << 20

  /// The processor time that the check may take if the schema computes something for each row, in
  /// nanoseconds: ``leastTime``, and a second for each 20 MB of the database, which is more than SQLite
  /// needs without.
  private func budget() throws(CofferError) -> Int64 {
    let pages = try database.value("PRAGMA page_count")?.integer ?? 0
    let size = try database.value("PRAGMA page_size")?.integer ?? 0
    let bytes = pages.multipliedReportingOverflow(by: size)
    let longest = 1_000_000_000 * Int64(24 * 3600)
    return bytes.overflow ? longest : min(longest, leastTime + bytes.partialValue &* 50)
  }

  private let database: SQLiteDatabase
  /// The processor time that any check may take, in nanoseconds.
  private let leastTime: Int64

  /// The audit of a database.
  package init(_ database: SQLiteDatabase) { self.init(database, leastTime: 2_000_000_000) }

  init(_ database: SQLiteDatabase, leastTime: Int64) {
    (self.database, self.leastTime) = (database, leastTime)
  }

  /// Lets SQLite check the database.
  ///
  /// - Parameter isDeep: whether indexes are compared with their tables, not only the pages.
  /// - Returns: the defects in SQLite's words, which name tables, pages and rows, never values. If
  ///   damage ends the check early, the defects found until then.
  /// - Throws: ``CofferError`` if the check itself is not possible, also if the task was canceled.
  package func messages(isDeep: Bool) throws(CofferError) -> [String] {
    try messages(isDeep: isDeep, endedBy: nil)
  }

  /// As ``messages(isDeep:)``, until a signal is given.
  func messages(isDeep: Bool, endedBy signal: StopSignal?) throws(CofferError) -> [String] {
    let check = isDeep ? "integrity_check" : "quick_check"
    var lines: [String] = []
    do {
      try bounded(by: signal) { database throws(CofferError) in
        let statement = try database.prepare("PRAGMA \(check)(\(Self.maximumMessages))")
        while try statement.step() { lines += Self.lines(statement.value(0).string ?? "") }
      }
    } catch {
      guard error.code == .damagedStore || error.code == .notSQLite else { throw error }
      // It only says that the file is damaged.
      if lines.isEmpty { lines.append(error.detail) }
    }
    return Array(lines.prefix(Self.maximumMessages))
  }

  /// Runs a check, with bounds for the expressions of the schema.
  private func bounded<T>(
    by signal: StopSignal?, _ body: (SQLiteDatabase) throws(CofferError) -> T
  ) throws(CofferError) -> T {
    guard try computes() else { return try database.interruptible(by: signal, body) }
    let budget = try budget()
    let result = try database.limitingValues(to: Self.longestComputedValue) {
      database throws(CofferError) in
      try database.limitingTime(to: budget, orBy: signal, body)
    }
    guard let result else {
      throw CofferError(
        .sqliteError, path: database.place,
        detail: "the computations of the schema for the rows take too long")
    }
    return result
  }

  /// Whether SQLite has to compute something to check a row: a generated column, a condition, an
  /// index on an expression or of a part of the rows.
  private func computes() throws(CofferError) -> Bool {
    let statement = try database.prepare(
      "SELECT sql, type = 'index' FROM main.sqlite_schema WHERE type IN ('table', 'index')")
    while try statement.step() {
      guard let sql = statement.value(0).string else { continue }
      if Self.computes(sql, isIndex: statement.int64(1) != 0) { return true }
    }
    return false
  }

  private static func computes(_ sql: String, isIndex: Bool) -> Bool {
    var tokens = SQLTokens(sql)
    var depth = 0
    while let token = tokens.next() {
      switch token.uppercased() {
      case "CHECK", "AS": if !isIndex { return true }
      case "WHERE": if isIndex { return true }
      case "(":
        depth += 1
        if isIndex, depth > 1 { return true }
      case ")": depth -= 1
      default: break
      }
    }
    return false
  }

  /// Whether SQLite finds nothing wrong with a table and its indexes.
  ///
  /// A table is not sound either if its schema prevents SQLite from checking it, such as by an unknown
  /// function.
  ///
  /// - Throws: ``CofferError`` if the check itself is not possible, also if the task was canceled.
  package func isSound(table: String) throws(CofferError) -> Bool {
    do {
      return try bounded(by: nil) { database throws(CofferError) in
        try database.value("PRAGMA integrity_check(\(quotedIdentifier(table)))")?.string == "ok"
      }
    } catch {
      let isOfSchema = error.code == .sqliteError && !error.isOfDisk
      guard error.isDamage || isOfSchema, !Task<Never, Never>.isCancelled else { throw error }
      return false
    }
  }

  /// The messages of a row; before SQLite 3.42 the first row held many, below a heading.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
      .filter { $0 != "ok" && !$0.hasPrefix("*** in database ") }
  }
}
