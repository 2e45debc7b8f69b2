internal import CoreDataStore

/// What a user has to know of a store that seems to be empty.
enum EmptyStoreNote {
  /// Warns if a store has no objects, and no write-ahead log in which they could be.
  ///
  /// - Parameters:
  ///   - path: the store, as given; nothing is printed for a file of another kind.
  ///   - objectCount: the number of objects in it.
  ///   - session: prints the warning.
  /// - Throws: the system's error if standard error cannot be written.
  static func print(_ path: String, objectCount: Int, _ session: Session) throws {
    guard objectCount == 0, StorePaths(store: path).lacksLog else { return }
    try session.printer.warn(
      "no-log",
      "\(path) has no objects and no -wal file. If it was copied without that file, they are in there: "
        + "copy both, or close the app first.")
  }
}
