package import CoreDataModel
internal import GRDB

/// A connection to a database file, opened and closed by GRDB.
///
/// It is used in blocks: ``use(_:)`` passes the open database to a closure. All calls run one after
/// another.
package final class SQLiteConnection: Sendable {
  private let queue: DatabaseQueue
  /// The name that errors give as their place.
  package let place: String

  /// How a connection may use its file.
  package enum Access: Sendable {
    /// Read only.
    case reading
    /// Read-only for statements; SQLite itself may write to roll a transaction back.
    case recovering
    /// Read-only for statements, with the readable part of a damaged schema.
    case salvaging
    /// Read and write; the file is created when it is not there.
    case writing
  }

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: the path of the file, or an SQLite URI.
  ///   - access: whether the connection may write; data that it reads is never trusted, see
  ///     ``ConnectionDefense``.
  ///   - place: the name that errors give as their place; nil for the path.
  ///   - busyTimeout: the number of seconds to wait for another's lock.
  ///   - answersQueries: whether statements of users may call functions that can take long.
  /// - Throws: ``CofferError`` with the code that fits SQLite's result.
  package init(
    path: String, access: Access, place: String? = nil, busyTimeout: Double = 5,
    answersQueries: Bool = false
  ) throws(CofferError) {
    var configuration = Configuration()
    configuration.readonly = access == .reading
    configuration.foreignKeysEnabled = false
    configuration.acceptsDoubleQuotedStringLiterals = true
    configuration.busyMode = .timeout(busyTimeout)
    // A snapshot keeps its read transaction open from one block to the next.
    configuration.allowsUnsafeTransactions = true
    configuration.label = "coffer"
    configuration.prepareDatabase {
      try ConnectionDefense.apply(to: $0, access: access, allowsSlowFunctions: answersQueries)
    }
    let name = place ?? path
    self.place = name
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      let problem = CofferError.wrapping(error, path: name)
      guard problem.code == .readFailed, path.utf8.count > Self.longestPath else { throw problem }
      throw CofferError(
        .readFailed, path: name,
        detail: "SQLite opens paths of up to \(Self.longestPath) bytes, and this needs one of "
          + "\(path.utf8.count)",
        advice: "Use a folder with a shorter path, and move the file afterwards.")
    }
  }

  /// The longest path that SQLite opens: it has 512 bytes, some of them for the name of a journal.
  private static let longestPath = 504

  /// Opens a private, empty database without a name, in a transaction that never ends.
  ///
  /// SQLite keeps it in memory, or in a temporary file that is gone whenever the process ends.
  ///
  /// - Throws: ``CofferError`` when no temporary database can be made.
  package static func temporary(
    place: String = "temporary database"
  ) throws(CofferError) -> SQLiteConnection {
    let connection = try SQLiteConnection(path: "", access: .writing, place: place)
    try connection.use { database throws(CofferError) in
      try database.run("PRAGMA journal_mode = OFF")
      // Half the usual size: a repair has several open at once, in addition to the store.
      try database.run("PRAGMA cache_size = -1000")
      try database.run("BEGIN")
    }
    return connection
  }

  /// Passes the open database to a closure, outside any transaction.
  package func use<T, E: Error>(_ body: (SQLiteDatabase) throws(E) -> T) throws(E) -> T {
    let outcome: Result<T, E> = queue.unsafeReentrantWrite { database in
      Result { () throws(E) in try body(SQLiteDatabase(database, place: place)) }
    }
    return try outcome.get()
  }

  /// Closes the connection; throws an error when statements are still in use.
  package func close() throws(CofferError) {
    do { try queue.close() } catch { throw .wrapping(error, path: place) }
  }
}
