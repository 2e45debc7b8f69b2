/// SQLite's own check of a database.
///
/// Source: <https://sqlite.org/pragma.html#pragma_integrity_check>. What it knows nothing of is Core
/// Data: a store with dangling references is sound to it.
package struct DatabaseAudit {
  /// The most messages that are asked for.
  package static let maximumMessages = 100

  private let database: SQLiteDatabase

  /// The audit of a database.
  package init(_ database: SQLiteDatabase) { self.database = database }

  /// Lets SQLite check the database.
  ///
  /// - Parameter isDeep: whether indexes are compared with their tables, not only the pages.
  /// - Returns: what is wrong in SQLite's words, which name tables, pages and rows, never values; of
  ///   a check that ends early because of damage, what was found up to there.
  /// - Throws: ``StoreError`` when the check itself is not possible, also when the task was cancelled.
  package func messages(isDeep: Bool) throws(StoreError) -> [String] {
    let check = isDeep ? "integrity_check" : "quick_check"
    var lines: [String] = []
    do {
      try database.interruptible { database throws(StoreError) in
        let statement = try database.prepare("PRAGMA \(check)(\(Self.maximumMessages))")
        while try statement.step() { lines += Self.lines(statement.value(0).string ?? "") }
      }
    } catch {
      guard error.code == .damaged || error.code == .notSQLite else { throw error }
      // It says no more than that there is damage.
      if lines.isEmpty { lines.append(error.detail) }
    }
    return Array(lines.prefix(Self.maximumMessages))
  }

  /// The messages of a row; before SQLite 3.42 the first row held many, below a heading.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
      .filter { $0 != "ok" && !$0.hasPrefix("*** in database ") }
  }
}
