package import CoreDataModel

/// Builds the database of a fresh store: settings, tables, rows, indexes, triggers, in this order.
///
/// All of it is one transaction without a journal: until ``finish()`` the file is not a store, and its
/// creator removes it if anything fails. Rows first and indexes afterwards is twice as fast as the other
/// order. Triggers come last because Core Data's triggers call functions that only it registers, and must not
/// run.
package final class StoreConstruction: Sendable {
  private let connection: SQLiteConnection
  private let settings: StoreSettings

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: where to create it; nothing may be there.
  ///   - settings: the settings of the database.
  ///   - place: the name that errors give as their place.
  /// - Throws: ``CofferError``: `refused` for settings that SQLite does not know, `write-failed` and
  ///   others mapped from SQLite's result code.
  package convenience init(
    at path: String, settings: StoreSettings, place: String
  ) throws(CofferError) {
    try self.init(at: path, settings: settings, place: place, journal: "OFF")
  }

  /// Begins a database that is never finished; a failing statement leaves no trace in it.
  ///
  /// SQLite keeps it in memory or in a file without a name.
  convenience init(rehearsing settings: StoreSettings, place: String) throws(CofferError) {
    try self.init(at: "", settings: settings, place: place, journal: "MEMORY")
    connection.use { $0.limitValues(to: Self.longestRehearsedValue) }
  }

  /// The maximum size of a value, and of a row, that is only tried: a few letters of a schema can ask
  /// for gigabytes.
  private static let longestRehearsedValue: Int32 = 16 << 20

  private init(
    at path: String, settings: StoreSettings, place: String, journal: String
  ) throws(CofferError) {
    try settings.validate()
    self.settings = settings
    do {
      connection = try SQLiteConnection(
        path: ReadAhead.onlyWriter(of: path), access: .writing, place: place)
    } catch {
      throw Self.asWriting(error)
    }
    try connection.use { database throws(CofferError) in
      try database.run("PRAGMA page_size = \(settings.pageSize)")
      try database.run("PRAGMA auto_vacuum = \(settings.autoVacuum)")
      try database.run("PRAGMA encoding = '\(settings.encoding)'")
      // For this file only: another one may be attached later for reading.
      try database.run("PRAGMA main.journal_mode = \(journal)")
      try database.run("PRAGMA main.synchronous = OFF")
      try database.run("PRAGMA main.locking_mode = EXCLUSIVE")
      // Not earlier: it forbids doing without a journal.
      try database.setDefensive(true)
      try database.run("BEGIN IMMEDIATE")
    }
  }

  /// Passes the database to a closure, in the single transaction.
  package func use<T, E: Error>(_ body: (SQLiteDatabase) throws(E) -> T) throws(E) -> T {
    try connection.use(body)
  }

  /// Creates tables, indexes, triggers or views by their own texts.
  ///
  /// - Parameters:
  ///   - statements: the statements, in the order of execution.
  ///   - step: called with the number of finished statements, and the database: before each, and once
  ///     all are finished.
  /// - Throws: ``CofferError``: `refused` if a statement does more than create what it names;
  ///   `sqlite-error` also if the task was canceled while one ran.
  package func create(
    _ statements: [SchemaStatement],
    step: (Int, SQLiteDatabase) throws(CofferError) -> Void = { _, _ in }
  ) throws(CofferError) {
    try use { database throws(CofferError) in
      let hasIndexes = statements.contains { $0.kind == .index }
      if hasIndexes {
        try database.run("PRAGMA cache_size = -\(Self.sortedAtOnce)")
        try database.sort(with: Self.sorters)
      }
      try requiringCreation(of: statements, database) { () throws(CofferError) in
        for (number, statement) in statements.enumerated() {
          try step(number, database)
          try create(statement, database)
        }
        if !statements.isEmpty { try step(statements.count, database) }
      }
      if hasIndexes {
        try database.run("PRAGMA cache_size = -2000")
        try database.sort(with: 0)
      }
    }
  }

  /// The KiB of index keys that SQLite sorts at once: as many as its cache, and as few as it
  /// allows, because lists that fit the processor's own cache are sorted fastest.
  private static let sortedAtOnce = 1000
  /// The threads that sort such lists while the connection's own reads the table.
  private static let sorters = 2

  private func create(_ statement: SchemaStatement, _ database: SQLiteDatabase) throws(CofferError)
  {
    guard statement.hasExpectedForm else { throw refusal(of: statement) }
    if statement.isInternal {
      return try createInternal(statement, database)
    }
    if statement.kind == .virtualTable { return try enter(statement, database) }
    try run(statement, database)
  }

  private func run(_ statement: SchemaStatement, _ database: SQLiteDatabase) throws(CofferError) {
    do throws(CofferError) {
      try database.run(statement.sql)
    } catch {
      var failure = error
      failure.place.item = "\(statement.kind.rawValue) \(statement.name)"
      throw failure
    }
  }

  /// Runs statements, and checks that each created the object that it names.
  ///
  /// The schema table is read once for all statements, because it has no index.
  private func requiringCreation(
    of statements: [SchemaStatement], _ database: SQLiteDatabase,
    _ body: () throws(CofferError) -> Void
  ) throws(CofferError) {
    let last = try database.value("SELECT max(rowid) FROM sqlite_master")?.integer ?? 0
    try body()
    var made: [[SQLiteValue]: [SQLiteValue]] = [:]
    for row in try database.rows(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE rowid > ?", [.integer(last)])
    {
      made[Array(row.prefix(2))] = Array(row.suffix(2))
    }
    for statement in statements where !statement.isInternal {
      let name = [SQLiteValue.string(statement.listedType), .string(statement.name)]
      guard made[name] == [.string(statement.tableName), .string(statement.sql)] else {
        throw refusal(of: statement)
      }
    }
  }

  /// Creates virtual tables together with their shadow tables.
  ///
  /// - Throws: ``CofferError``: `refused` if a statement does anything else than create what it names;
  ///   `sqlite-error` if this SQLite has no such module.
  package func createVirtualTables(_ statements: [SchemaStatement]) throws(CofferError) {
    try use { database throws(CofferError) in
      for statement in statements
      where !statement.hasExpectedForm || statement.kind != .virtualTable {
        throw refusal(of: statement)
      }
      try requiringCreation(of: statements, database) { () throws(CofferError) in
        for statement in statements { try run(statement, database) }
      }
    }
  }

  /// Registers a virtual table: creating it would also create its shadow tables, which exist and
  /// have rows of their own.
  private func enter(_ statement: SchemaStatement, _ database: SQLiteDatabase) throws(CofferError) {
    // Defensive mode would forbid only this. Shadow tables need no exception: as long as no virtual table is
    // listed, they are ordinary tables.
    try database.setDefensive(false)
    try database.run("PRAGMA writable_schema = ON")
    try database.run(
      "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES ('table', ?, ?, 0, ?)",
      [.string(statement.name), .string(statement.name), .string(statement.sql)])
    try database.run("PRAGMA writable_schema = OFF")
    try database.setDefensive(true)
  }

  /// Tables of SQLite's own, which no statement can create.
  private func createInternal(
    _ statement: SchemaStatement, _ database: SQLiteDatabase
  ) throws(CofferError) {
    switch statement.name {
    case "sqlite_sequence": break  // comes with the first table that needs it
    case "sqlite_stat1", "sqlite_stat4", "sqlite_stat3":
      try database.run("ANALYZE sqlite_master")
    default: throw refusal(of: statement)
    }
    guard
      try database.value(
        "SELECT 1 FROM sqlite_master WHERE name = ?", [.string(statement.name)]) != nil
    else {
      throw CofferError(
        .refused, path: connection.place, item: statement.name,
        detail: "this version of SQLite does not support this kind of statistics")
    }
    try database.run("DELETE FROM \(quotedIdentifier(statement.name))")
  }

  private func refusal(of statement: SchemaStatement) -> CofferError {
    CofferError(
      .refused, path: connection.place,
      detail:
        "the definition of the \(statement.kind.rawValue) \(statement.name) does not occur in "
        + "a Core Data store",
      advice: "The archive is damaged or was changed by hand.")
  }

  /// Completes the file: commits, sets the journal mode, closes.
  package func finish() throws(CofferError) {
    do {
      try use { database throws(CofferError) in
        try database.run("PRAGMA user_version = \(settings.userVersion)")
        try database.run("PRAGMA application_id = \(settings.applicationID)")
        try database.run("COMMIT")
        try database.run("PRAGMA main.locking_mode = NORMAL")
        try database.run(
          "PRAGMA main.journal_mode = \(settings.journalMode == .wal ? "WAL" : "DELETE")")
      }
      try connection.close()
    } catch {
      throw Self.asWriting(error)
    }
  }

  /// The error about a file that was being written: for SQLite one that cannot be opened cannot be read.
  private static func asWriting(_ error: CofferError) -> CofferError {
    guard error.code == .readFailed else { return error }
    var failure = error
    failure.code = .writeFailed
    return failure
  }

  /// Closes the file without finishing it; its creator removes it.
  package func abandon() {
    try? connection.close()
  }
}
