internal import CoreDataArchive
public import CoreDataModel

extension CofferError {
  /// Whether a file was not read because it holds changes of a store, not a whole one.
  public var isAboutChanges: Bool { evidence as? ArchiveManifest.Kind == .changes }
}

extension CofferError {
  /// The error for changes without the values before where these are needed.
  package static func irreversibleChanges(path: String) -> CofferError {
    CofferError(
      .irreversibleChanges, path: path,
      detail: "no one can tell whether a store is in the state that they begin with",
      advice: .restoreOrCompare)
  }
}
