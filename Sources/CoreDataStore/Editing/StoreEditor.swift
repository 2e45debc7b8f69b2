package import CoreDataModel

/// Changes the content of a store: of a private copy, in one transaction.
///
/// Until ``finish(_:)`` the copy is not a store that anyone may use, and its creator removes it if
/// anything fails. No trigger runs: values that Core Data derives, and the entries of spatial indexes,
/// are changed like others.
package final class StoreEditor {
  private let connection: SQLiteConnection
  private let journalMode: StoreSettings.JournalMode
  /// The rows that are changed; nil if they are not followed.
  package let changedRows: ChangedRows?

  /// Copies a store and begins the transaction.
  ///
  /// - Parameters:
  ///   - store: the store in its opened state.
  ///   - path: where to create the copy; nothing may be there.
  ///   - followsRows: whether the rows that are changed are noted.
  /// - Throws: ``CofferError``: `write-failed` and others mapped from SQLite's result code; `CancellationError`.
  package init(copying store: PersistentStore, to path: String, followsRows: Bool = false) throws {
    journalMode = store.settings.journalMode
    changedRows = followsRows ? try ChangedRows() : nil
    let connection = try SQLiteConnection(path: path, access: .writing, place: store.path)
    self.connection = connection
    do {
      try store.use { try $0.copyPages(to: connection) }
      try Self.begin(connection)
      connection.use { changedRows?.follow($0) }
    } catch {
      try? connection.close()
      throw error
    }
  }

  /// Begins the transaction in a store that was just built and is not yet in use.
  ///
  /// - Parameter store: the store, which is closed.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package init(ofUnused store: PersistentStore) throws(CofferError) {
    journalMode = store.settings.journalMode
    changedRows = nil
    let connection = try SQLiteConnection(path: store.path, access: .writing)
    self.connection = connection
    do throws(CofferError) {
      try Self.begin(connection)
    } catch {
      try? connection.close()
      throw error
    }
  }

  private static func begin(_ connection: SQLiteConnection) throws(CofferError) {
    try connection.use { database throws(CofferError) in
      // The copy is gone if anything fails, but a statement that fails must leave it sound.
      try database.run("PRAGMA journal_mode = TRUNCATE")
      try database.run("PRAGMA synchronous = OFF")
      try database.run("PRAGMA locking_mode = EXCLUSIVE")
      try database.run("BEGIN IMMEDIATE")
    }
  }

  /// Passes the database to a closure, in the single transaction.
  package func use<T, E: Error>(_ body: (SQLiteDatabase) throws(E) -> T) throws(E) -> T {
    try connection.use(body)
  }

  /// The new settings of the copy that differ from the store's.
  package struct Settings: Sendable, Equatable {
    /// The journal mode.
    package var journalMode: StoreSettings.JournalMode
    /// The application's number of its schema's version.
    package var userVersion: Int64
    /// The application's number of its file format.
    package var applicationID: Int64

    /// Creates settings.
    package init(journalMode: StoreSettings.JournalMode, userVersion: Int64, applicationID: Int64) {
      self.journalMode = journalMode
      self.userVersion = userVersion
      self.applicationID = applicationID
    }
  }

  /// Completes the copy: commits, sets the journal mode, closes.
  ///
  /// - Parameter settings: the new settings; nil to keep the store's settings.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func finish(_ settings: Settings?) throws(CofferError) {
    let journalMode = settings?.journalMode ?? journalMode
    try use { database throws(CofferError) in
      try changedRows?.unfollow(database)
      if let settings {
        try database.run("PRAGMA user_version = \(settings.userVersion)")
        try database.run("PRAGMA application_id = \(settings.applicationID)")
      }
      try database.run("COMMIT")
      try database.run("PRAGMA locking_mode = NORMAL")
      try database.run("PRAGMA journal_mode = \(journalMode == .wal ? "WAL" : "DELETE")")
    }
    try connection.close()
  }

  /// Closes the copy without further changes; its creator removes it.
  package func abandon() {
    try? use { database throws(CofferError) in try changedRows?.unfollow(database) }
    try? connection.close()
  }
}

extension SQLiteDatabase {
  /// Remembers the rows of SQLite's own table of highest row numbers, which SQLite changes itself
  /// whenever rows are inserted into others.
  ///
  /// - Returns: the rows: number, name, highest number; nil if there is no such table.
  package func savedSequences() throws(CofferError) -> [[SQLiteValue]]? {
    guard
      try value("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'") != nil
    else { return nil }
    return try rows("SELECT rowid, name, seq FROM sqlite_sequence ORDER BY rowid")
  }

  /// Gives SQLite's table of highest row numbers the rows that it had.
  package func restoreSequences(_ rows: [[SQLiteValue]]) throws(CofferError) {
    try removeRows(of: "sqlite_sequence")
    for row in rows {
      try run("INSERT INTO sqlite_sequence (rowid, name, seq) VALUES (?, ?, ?)", row)
    }
  }
}
