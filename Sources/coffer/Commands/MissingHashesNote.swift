/// A warning about a new store without version hashes.
enum MissingHashesNote {
  /// Warns that a store has no version hashes.
  ///
  /// - Parameters:
  ///   - store: the store, as given.
  ///   - model: its model, as given.
  ///   - remedy: how to copy the hashes from another store.
  ///   - session: prints the warning.
  /// - Throws: the system's error if standard error cannot be written.
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
