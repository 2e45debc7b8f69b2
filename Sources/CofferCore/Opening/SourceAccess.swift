internal import CoreDataModel
public import CoreDataStore

/// How a store or an archive is read, whichever of both it is.
public struct SourceAccess: Sendable {
  /// How a store is read.
  public var store: StoreAccess
  /// How an archive is read.
  public var archive: ArchiveAccess
  /// The required model of the store or archive; nil for any.
  ///
  /// A store without a copy of its model is read with this one.
  public var model: LoadedModel?

  /// Creates access; by default, it is safe in any app and accepts any model.
  public init(
    store: StoreAccess = .copy, archive: ArchiveAccess = ArchiveAccess(),
    model: LoadedModel? = nil
  ) {
    self.store = store
    self.archive = archive
    self.model = model
  }

  /// Opens an archive, which must be of the model.
  package func openArchive(_ path: String) throws -> OpenArchive {
    let open = try OpenArchive(path: path, access: archive)
    try ModelCompatibility.require(open.documents, of: model, place: path)
    return open
  }
}
