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
  /// - Throws: ``CofferError``: `sqlite-error` for wrong SQL, `damaged-store` and others mapped from SQLite's result code.
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

  /// The rows of a small query up to the first unreadable page, and whether they are complete.
  ///
  /// - Throws: ``CofferError`` for anything but damage.
  package func rowsUntilDamage(
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

  /// Copies the database page by page, in the state of the current transaction, into an empty one.
  package func copyPages(to other: SQLiteConnection) throws {
    try other.use { target in
      do {
        try database.backup(to: target.database, pagesPerStep: 4096) { _ in
          try Task<Never, Never>.checkCancellation()
        }
      } catch let error as CancellationError {
        throw error
      } catch {
        throw CofferError.wrapping(error, path: other.place)
      }
    }
  }

  /// The number of rows that the last statement inserted, changed or removed.
  package var changeCount: Int { unsafe Int(sqlite3_changes(handle)) }

  /// The raw handle, for the few functions of SQLite that statements do not cover.
  var handle: OpaquePointer? { unsafe database.sqliteConnection }

  /// Switches SQLite's defensive mode, which forbids writing to the schema and to shadow tables, and
  /// doing without a journal.
  ///
  /// Connections for reading have it from the beginning.
  ///
  /// - Throws: ``CofferError`` if this SQLite has no such mode.
  package func setDefensive(_ isOn: Bool) throws(CofferError) {
    do {
      try ConnectionDefense.setDefensive(isOn, database)
    } catch {
      throw .wrapping(error, path: place)
    }
  }

  /// Lets SQLite sort the keys of indexes with other threads too; initially, there are none.
  func sort(with threads: Int) throws(CofferError) {
    unsafe sqlite3_limit(
      database.sqliteConnection, SQLITE_LIMIT_WORKER_THREADS, Int32(clamping: threads))
    try run("PRAGMA threads = \(threads)")
  }

  /// Attaches one other database; its address determines whether it is read-only.
  func attach(_ address: String, as name: String) throws(CofferError) {
    _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1)
    try run("ATTACH ?1 AS \(quotedIdentifier(name))", [.string(address)])
  }

  /// Limits the bytes of a value in SQLite from now on.
  func limitValues(to count: Int32) {
    _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, count)
  }

  /// Limits the bytes of a value in SQLite while a closure runs.
  func limitingValues<T>(
    to count: Int32, _ body: (SQLiteDatabase) throws(CofferError) -> T
  ) throws(CofferError) -> T {
    let before = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, count)
    defer { _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, before) }
    return try body(self)
  }

  /// Compiles the insertion of rows: a parameter for each column in order, and one for the row
  /// number if rows have one that no column shows; then the same for the next row.
  package func prepareInsertion(
    table: String, columns: [String], hasRowNumbers: Bool, rowCount: Int = 1
  ) throws(CofferError) -> SQLiteStatement {
    var names = columns.map(quotedIdentifier)
    if hasRowNumbers { names.append(RowPlan.hiddenRowNumber(besides: columns)) }
    let row = "(\(Array(repeating: "?", count: max(1, names.count)).joined(separator: ", ")))"
    let rows = Array(repeating: row, count: max(1, rowCount)).joined(separator: ", ")
    return try prepare(
      "INSERT INTO \(quotedIdentifier(table)) (\(names.joined(separator: ", "))) "
        + "VALUES \(rows)")
  }

  /// Counts the rows of a table.
  package func rowCount(of table: String) throws(CofferError) -> Int {
    let count = try value("SELECT count(*) FROM \(quotedIdentifier(table))")
    return Int(clamping: count?.integer ?? 0)
  }

  /// Removes all rows of a table.
  package func removeRows(of table: String) throws(CofferError) {
    try run("DELETE FROM \(quotedIdentifier(table))")
  }

  /// Writes a blob of zeros to an existing row, to be filled piece by piece.
  package func setZeros(
    _ count: Int, table: String, column: String, row: Int64, columns: [String]
  ) throws(CofferError) {
    let rowNumber = RowPlan.hiddenRowNumber(besides: columns)
    try run(
      "UPDATE \(quotedIdentifier(table)) SET \(quotedIdentifier(column)) = zeroblob(?1) "
        + "WHERE \(rowNumber) = ?2", [.integer(Int64(count)), .integer(row)])
  }

  /// Writes a string to an existing row.
  package func setText(
    _ bytes: UnsafeRawBufferPointer, table: String, column: String, row: Int64, columns: [String]
  ) throws(CofferError) {
    let rowNumber = RowPlan.hiddenRowNumber(besides: columns)
    let statement = try prepare(
      "UPDATE \(quotedIdentifier(table)) SET \(quotedIdentifier(column)) = ?1 "
        + "WHERE \(rowNumber) = ?2")
    unsafe statement.bind(lentText: bytes, at: 1)
    statement.bind(row, at: 2)
    try statement.run()
  }

  /// Removes an announced value that did not arrive: it becomes NULL, or empty if the column does not
  /// allow NULL.
  package func removeValue(
    table: String, column: String, row: Int64, columns: [String]
  ) throws(CofferError) {
    let rowNumber = RowPlan.hiddenRowNumber(besides: columns)
    let update =
      "UPDATE \(quotedIdentifier(table)) SET \(quotedIdentifier(column)) = %@ "
      + "WHERE \(rowNumber) = ?"
    do throws(CofferError) {
      try run(update.replacing("%@", with: "NULL"), [.integer(row)])
    } catch  where error.isConstraintViolation {
      try run(update.replacing("%@", with: "zeroblob(0)"), [.integer(row)])
    }
  }

  /// An integer of a row, or nil if there is none.
  package func integer(
    table: String, column: String, row: Int64, columns: [String]
  ) throws(CofferError) -> Int64? {
    let rowNumber = RowPlan.hiddenRowNumber(besides: columns)
    return try value(
      "SELECT \(quotedIdentifier(column)) FROM \(quotedIdentifier(table)) WHERE \(rowNumber) = ?",
      [.integer(row)])?.integer
  }
}
