internal import CoreDataArchive
public import CoreDataModel
internal import CoreDataStore

extension CofferError {
  /// The error about an archive with a statement or a row that SQLite rejects; any other error
  /// unchanged.
  ///
  /// Without an item, it is the one that the error names; the failed action is a clause such as `line 5 cannot
  /// be stored`.
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

extension CofferError {
  /// Whether a file was not read because it holds changes of a store, not a whole one.
  public var isAboutChanges: Bool { evidence as? ArchiveManifest.Kind == .changes }

  /// The error for changes without the values before where these are needed.
  package static func irreversibleChanges(path: String) -> CofferError {
    CofferError(
      .irreversibleChanges, path: path,
      detail: "the state of a store cannot be checked",
      advice: .restoreOrCompare)
  }

  /// The error with advice to salvage if the archive is damaged; other errors unchanged.
  var hintingAtSalvage: CofferError {
    guard code == .damagedArchive || code == .truncatedArchive else { return self }
    var error = self
    error.advice.append(.salvageArchive)
    return error
  }
}
