package import CoreDataModel
internal import GRDB
internal import GRDBSQLite

/// An open connection, borrowed for a block of work; do not keep it.
@safe package struct SQLiteDatabase {
  let database: Database
  /// The name that errors give as their place: the store's file name.
  package let place: String

  init(_ database: Database, place: String) {
    self.database = database
    self.place = place
  }

  /// Compiles a statement.
  ///
  /// - Throws: ``CofferError``: `sqlite-error` for wrong SQL, `damaged-store` and others as SQLite says.
  package func prepare(_ sql: String) throws(CofferError) -> SQLiteStatement {
    do {
      return SQLiteStatement(try database.makeStatement(sql: sql), place: place)
    } catch {
      throw .wrapping(error, path: place)
    }
  }

  /// Runs one statement without result.
  package func run(_ sql: String, _ arguments: [SQLiteValue] = []) throws(CofferError) {
    let statement = try prepare(sql)
    for (index, argument) in arguments.enumerated() {
      statement.bind(argument, at: Int32(clamping: index + 1))
    }
    while try statement.step() {}
  }

  /// The rows of a small query, copied.
  package func rows(
    _ sql: String, _ arguments: [SQLiteValue] = []
  ) throws(CofferError) -> [[SQLiteValue]] {
    let statement = try prepare(sql)
    for (index, argument) in arguments.enumerated() {
      statement.bind(argument, at: Int32(clamping: index + 1))
    }
    var found: [[SQLiteValue]] = []
    let count = statement.columnCount
    while try statement.step() { found.append((0..<count).map { statement.value($0) }) }
    return found
  }

  /// The rows of a small query up to where a page cannot be read, and whether that is all of them.
  ///
  /// - Throws: ``CofferError`` for anything but damage.
  func rowsUntilDamage(
    _ sql: String
  ) throws(CofferError) -> (rows: [[SQLiteValue]], isWhole: Bool) {
    var found: [[SQLiteValue]] = []
    do {
      let statement = try prepare(sql)
      let count = statement.columnCount
      while try statement.step() { found.append((0..<count).map { statement.value($0) }) }
      return (found, true)
    } catch {
      guard error.isDamage else { throw error }
      return (found, false)
    }
  }

  /// The first value of the first row of a small query, or nil when there is no row.
  package func value(
    _ sql: String, _ arguments: [SQLiteValue] = []
  ) throws(CofferError) -> SQLiteValue? {
    try rows(sql, arguments).first?.first
  }

  /// The raw handle, for the few functions of SQLite that statements do not cover.
  var handle: OpaquePointer? { unsafe database.sqliteConnection }
}
