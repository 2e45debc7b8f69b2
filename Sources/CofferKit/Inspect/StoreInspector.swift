public import CoreDataStore

/// Tells what a store or an archive holds, without reading its objects.
///
/// ```swift
/// let inspection = try StoreInspector().inspect("Trips.sqlite")
/// for entity in inspection.entities { print(entity.name, entity.objectCount) }
/// ```
///
/// Rows of a store are counted by SQLite. Of an archive the documents, the index and a few small
/// entries are read: the counts are what its index says, and only a verification tells whether the
/// index is right.
public struct StoreInspector: Sendable {
  /// How a store is read while it is looked into.
  public var access: StoreAccess

  /// How an archive is read.
  public var archiveAccess: ArchiveAccess

  /// The model that the store or the archive must be of; nil for any.
  ///
  /// A store that has no copy of its model is shown with this one.
  public var model: LoadedModel?

  /// Creates an inspector; the default access is safe in any app.
  public init(access: StoreAccess = .copy, archiveAccess: ArchiveAccess = ArchiveAccess()) {
    self.access = access
    self.archiveAccess = archiveAccess
  }

  /// Looks into a store or an archive; which of both it is, its content tells.
  ///
  /// - Throws: ``CofferError`` when it is no archive and cannot be read as a store: `not-found`,
  ///   `read-failed`, `not-sqlite`, `not-a-core-data-store`, `wal-missing`, `store-busy`,
  ///   `cannot-copy`, `damaged-store`; `CofferError` for an archive: `truncated-archive`,
  ///   `damaged-archive`, `newer-format`, `archive-limit`, `read-failed`; `CofferError` with
  ///   `model-mismatch` when ``model`` is another one.
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
