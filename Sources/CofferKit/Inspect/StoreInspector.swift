public import CoreDataStore

/// Shows what a store or an archive contains, without reading its objects.
///
/// ```swift
/// let inspection = try StoreInspector().inspect("Trips.sqlite")
/// for entity in inspection.entities { print(entity.name, entity.objectCount) }
/// ```
///
/// SQLite counts the rows of a store. For an archive, the documents, the index and a few small
/// entries are read: the counts come from the index, and only a verification shows whether the
/// index is right.
public struct StoreInspector: Sendable {
  /// How a store is read.
  public var access: StoreAccess

  /// How an archive is read.
  public var archiveAccess: ArchiveAccess

  /// The required model of the store or archive; nil for any.
  ///
  /// A store without a copy of its model is shown with this one.
  public var model: LoadedModel?

  /// Creates an inspector; the default access is safe in any app.
  public init(access: StoreAccess = .copy, archiveAccess: ArchiveAccess = ArchiveAccess()) {
    self.access = access
    self.archiveAccess = archiveAccess
  }

  /// Inspects a store or an archive, recognized by its content.
  ///
  /// - Throws: ``CofferError`` if it is not an archive and cannot be read as a store: `not-found`,
  ///   `read-failed`, `not-sqlite`, `not-a-core-data-store`, `wal-missing`, `store-busy`,
  ///   `cannot-copy`, `damaged-store`; `CofferError` for an archive: `truncated-archive`,
  ///   `damaged-archive`, `newer-format`, `archive-limit`, `read-failed`; `CofferError` with
  ///   `model-mismatch` if it has a different model than ``model``.
  public func inspect(_ path: String) throws -> Inspection {
    switch try SourceKind(ofFileAt: path) {
    case .store:
      return try PersistentStore(readingFrom: path, access: access).readingAgainIfChanged(inspect)
    case .archive:
      let archive = try OpenArchive(path: path, access: archiveAccess)
      try ModelCompatibility.require(archive.documents, of: model, place: path)
      return try ArchiveInspection(archive).result()
    }
  }

  private func inspect(_ store: PersistentStore) throws -> Inspection {
    let store = try store.fitted(to: model)
    let inspection = try StoreInspection(store).result()
    try store.requireUnchanged()
    return inspection
  }
}
