internal import CoreDataArchive
public import CoreDataModel

extension CofferError {
  /// Whether a file was not read because it holds changes of a store, not a whole one.
  public var isAboutChanges: Bool { evidence as? ArchiveManifest.Kind == .changes }
}
