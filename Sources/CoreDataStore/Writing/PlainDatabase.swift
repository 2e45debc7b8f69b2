package import CoreDataModel

/// A fresh SQLite database that is no store: tables with names for people, and declared foreign keys.
///
/// All of it is one transaction without a journal: until ``finish()`` the file belongs to no one,
/// and its creator removes it if anything fails.
package final class PlainDatabase {
  private let connection: SQLiteConnection

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: where to create it; nothing may be there.
  ///   - place: the name that errors give as their place.
  /// - Throws: ``CofferError``: `write-failed` and others mapped from SQLite's result code.
  package init(at path: String, place: String) throws(CofferError) {
    connection = try SQLiteConnection(path: path, access: .writing, place: place)
    try connection.use { database throws(CofferError) in
      try database.run("PRAGMA encoding = 'UTF-8'")
      try database.run("PRAGMA journal_mode = OFF")
      try database.run("PRAGMA synchronous = OFF")
      try database.run("PRAGMA locking_mode = EXCLUSIVE")
      try database.run("BEGIN IMMEDIATE")
    }
  }

  /// Passes the database to a closure, in the single transaction.
  package func use<T, E: Error>(_ body: (SQLiteDatabase) throws(E) -> T) throws(E) -> T {
    try connection.use(body)
  }

  /// Completes the file.
  ///
  /// - Returns: the number of foreign keys that refer to a missing row.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func finish() throws(CofferError) -> Int {
    let count = try connection.use { database throws(CofferError) in
      try database.run("COMMIT")
      let check = try database.prepare("PRAGMA foreign_key_check")
      var count = 0
      while try check.step() { count += 1 }
      return count
    }
    try connection.close()
    return count
  }

  /// Closes the file without finishing it; its creator removes it.
  package func abandon() { try? connection.close() }
}
