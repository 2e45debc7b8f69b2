internal import CoreDataModel
internal import CoreDataStore

extension CofferError {
  /// The error about an archive of which SQLite does not take a statement or a row; any other error as
  /// it is.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - entry: the entry that holds what SQLite does not take.
  ///   - item: the object or the statement; nil for the one that the error names.
  ///   - what: what could not be done with it, such as `line 5 cannot be stored`.
  /// - Returns: an error of the code `damaged-archive`, or this one.
  func blaming(
    _ archive: String, entry: String, item: String? = nil, _ what: String
  ) -> CofferError {
    guard code == .sqliteError || code == .damagedStore, let objection = objectionToContent else {
      return self
    }
    return CofferError(
      .damagedArchive, path: archive, item: item ?? place.item, entry: entry,
      detail: "\(what): \(objection) (SQLite: \(detail.prefix(200)))",
      advice: "Get another copy of the archive, or make a new one from the store.")
  }
}
