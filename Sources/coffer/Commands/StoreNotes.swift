internal import CofferKit
internal import CoreDataStore

/// A warning about a store that seems to be empty.
enum EmptyStoreNote {
  /// Warns as `print(_:objectCount:_:)`, and counts the objects itself.
  static func print(_ path: String, _ session: Session) throws {
    guard StorePaths(store: path).lacksLog, let store = try? PersistentStore.opened(path, .inPlace)
    else { return }
    defer { store.close() }
    try print(path, objectCount: store.objectCount(), session)
  }

  /// Warns if a store has no objects, and no write-ahead log that could contain them.
  static func print(_ path: String, objectCount: Int, _ session: Session) throws {
    guard objectCount == 0, StorePaths(store: path).lacksLog else { return }
    try session.printer.warn(
      "no-log",
      "\(path) has no objects and no -wal file. If it was copied without that file, they are in there: "
        + "copy both, or close the app first.")
  }
}

/// A warning about a new store without version hashes.
enum MissingHashesNote {
  /// Warns that a store has no version hashes.
  static func print(
    _ store: String, _ model: String, remedy: String = "use --like STORE", _ session: Session
  ) throws {
    try session.printer.warn(
      "no-version-hashes",
      "\(store) has no version hashes because \(model) has none. Core Data will treat it as a "
        + "store of a different model, and refuse or migrate it. To copy the hashes from a store of "
        + "the same model, \(remedy).")
  }
}
