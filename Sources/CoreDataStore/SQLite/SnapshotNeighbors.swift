internal import CoreDataModel
internal import POSIX

/// Opens other connections that read the content of a snapshot.
///
/// A private copy, and a watched store that no one changes, look the same to every connection. A
/// store with a live writer has another state after each commit, and SQLite cannot tell whether two
/// connections see the same one. So a witness connection opens before the snapshot begins: if it
/// still sees no commit after the others have started their transactions, all of them see the same
/// state.
final class SnapshotNeighbors: Sendable {
  private let path: String
  private let place: String
  private let witness: CommitWitness?

  /// Without a witness, no commits are possible.
  init(path: String, place: String, witness: CommitWitness? = nil) {
    self.path = path
    self.place = place
    self.witness = witness
  }

  /// Whether nothing was committed since the snapshot began; false if that cannot be found out.
  var sawNoCommit: Bool { witness?.sawNoCommit ?? true }

  /// Opens connections that see the same state.
  ///
  /// - Returns: as many as the system allows; none if the store has changed since the snapshot began.
  func open(_ count: Int) -> [SQLiteConnection] {
    var connections: [SQLiteConnection] = []
    while connections.count < count, let connection = begun() { connections.append(connection) }
    guard let witness, !connections.isEmpty, !witness.sawNoCommit else { return connections }
    for connection in connections { try? connection.close() }
    return []
  }

  /// A connection whose transaction has started.
  private func begun() -> SQLiteConnection? {
    do throws(CofferError) {
      let connection = try SQLiteConnection(path: path, access: .reading, place: place)
      try connection.use { database throws(CofferError) in
        try database.run("BEGIN")
        // The transaction begins with the first read.
        _ = try database.value("SELECT count(*) FROM sqlite_schema")
      }
      return connection
    } catch {
      return nil
    }
  }

  /// Lets another connection read the same state as an attached database, for one transaction.
  ///
  /// - Returns: false if the store has changed since the snapshot began.
  func attach(to database: SQLiteDatabase, as name: String) throws(CofferError) -> Bool {
    try database.attach(path, as: name)
    // Its part of the transaction begins with the first read.
    _ = try database.value("SELECT count(*) FROM \(quotedIdentifier(name)).sqlite_schema")
    return sawNoCommit
  }

  /// Closes the witness; the other connections belong to their owners.
  func close() { witness?.close() }
}

/// A connection outside any transaction, which notices whether others have committed anything since a
/// snapshot began.
final class CommitWitness: Sendable {
  private let connection: SQLiteConnection
  private let files: DatabaseFiles
  private let first: Int64

  /// Opens the connection, before the snapshot begins; nil if it cannot be opened.
  init?(path: String, files: DatabaseFiles) {
    do throws(CofferError) {
      connection = try SQLiteConnection(path: path, access: .reading, place: files.main)
      guard let version = try Self.version(connection) else { return nil }
      first = version
      self.files = files
    } catch {
      return nil
    }
  }

  /// Whether nothing has been committed since the snapshot began; false if that cannot be found
  /// out.
  var sawNoCommit: Bool { (try? Self.version(connection)) == first || logIsEmpty }

  /// Whether the log is too short for its own header.
  ///
  /// A store that an app left behind with an empty log has a new version at each look: SQLite cannot
  /// know whether a program wrote, emptied the log and closed the store. While a snapshot exists, no
  /// program can: a commit goes to the log and stays there until no reader needs the old main file
  /// (<https://sqlite.org/wal.html#concurrency>).
  private var logIsEmpty: Bool {
    guard let state = try? files.state(), let log = state.wal else { return false }
    return log.size < WriteAheadLog.headerLength
  }

  func close() { try? connection.close() }

  /// A number that stays the same on one connection as long as no other one commits
  /// (<https://sqlite.org/pragma.html#pragma_data_version>).
  private static func version(_ connection: SQLiteConnection) throws(CofferError) -> Int64? {
    try connection.use { database throws(CofferError) in
      try database.value("PRAGMA data_version")?.integer
    }
  }
}
