package import CoreDataModel

/// Statements that are compiled once and run again and again.
package final class EditStatements {
  private let database: SQLiteDatabase
  /// By their texts: statements with names that differ only in how an accent is composed are different.
  private var prepared: [Name: PreparedStatement] = [:]
  /// The maximum number of compiled statements; stores need a few per column.
  private static let limit = 512

  /// Compiles statements for a database.
  package init(_ database: SQLiteDatabase) { self.database = database }

  /// Gives up the compiled statements, which must not outlive the connection.
  package func removeAll() { prepared.removeAll() }

  private func statement(
    _ sql: String, _ arguments: [SQLiteValue]
  ) throws(CofferError) -> PreparedStatement {
    let found: PreparedStatement
    let text = Name(sql)
    if let known = prepared[text] {
      found = known
      found.statement.clearBindings()
    } else {
      if prepared.count >= Self.limit { prepared.removeAll() }
      found = PreparedStatement(try database.prepare(sql))
      prepared[text] = found
    }
    for (index, argument) in arguments.enumerated() {
      found.statement.bind(argument, at: Int32(clamping: index + 1))
    }
    return found
  }

  /// Runs a statement without result; returns the number of rows that it changed.
  @discardableResult
  package func run(_ sql: String, _ arguments: SQLiteValue...) throws(CofferError) -> Int {
    try run(sql, arguments)
  }

  /// Runs a statement without result; returns the number of rows that it changed.
  @discardableResult
  package func run(_ sql: String, _ arguments: [SQLiteValue]) throws(CofferError) -> Int {
    try statement(sql, arguments).statement.run()
    return database.changeCount
  }

  /// The first row of a query; nil if there is none.
  package func row(_ sql: String, _ arguments: SQLiteValue...) throws(CofferError) -> [SQLiteValue]?
  {
    let found = try statement(sql, arguments)
    defer { found.statement.reset() }
    guard try found.statement.step() else { return nil }
    return (0..<found.statement.columnCount).map { found.statement.value($0) }
  }

  /// The result of a query that counts; 0 without a row.
  package func count(_ sql: String, _ arguments: SQLiteValue...) throws(CofferError) -> Int {
    let found = try statement(sql, arguments)
    defer { found.statement.reset() }
    return try found.statement.step() ? Int(clamping: found.statement.int64(0)) : 0
  }

  /// The rows of a query that returns few.
  package func rows(
    _ sql: String, _ arguments: SQLiteValue...
  ) throws(CofferError) -> [[SQLiteValue]] {
    let found = try statement(sql, arguments)
    defer { found.statement.reset() }
    var rows: [[SQLiteValue]] = []
    while try found.statement.step() {
      rows.append((0..<found.statement.columnCount).map { found.statement.value($0) })
    }
    return rows
  }

  /// The integers in the first column of a query, without NULL and other values.
  package func integers(_ sql: String, _ arguments: SQLiteValue...) throws(CofferError) -> [Int64] {
    let found = try statement(sql, arguments)
    defer { found.statement.reset() }
    var values: [Int64] = []
    while try found.statement.step() {
      if case .integer = found.statement.storageClass(0) { values.append(found.statement.int64(0)) }
    }
    return values
  }

  /// Passes the rows of a query to a closure that may change the queried tables.
  ///
  /// - Parameters:
  ///   - sql: the query for the rows after a key; the key's columns come first in each row and are the
  ///     parameters.
  ///   - keys: the number of these columns, which are integers.
  ///   - body: receives each row.
  /// - Throws: errors from the closure; ``CofferError`` mapped from SQLite's result code; `CancellationError`.
  package func forEachRow(_ sql: String, keys: Int, _ body: ([SQLiteValue]) throws -> Void) throws {
    var last = [SQLiteValue](repeating: .integer(.min), count: keys)
    while true {
      try Task<Never, Never>.checkCancellation()
      let rows = try database.rows(sql + " LIMIT 1000", last)
      guard let end = rows.last else { return }
      last = Array(end.prefix(keys))
      for row in rows { try body(row) }
    }
  }
}
