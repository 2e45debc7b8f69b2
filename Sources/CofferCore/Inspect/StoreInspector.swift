internal import CoreDataStore

/// Shows what a store or an archive contains, without reading its objects.
///
/// ```swift
/// let inspection = try await StoreInspector().inspect("Trips.sqlite")
/// for entity in inspection.entities { print(entity.name, entity.objectCount) }
/// ```
///
/// SQLite counts the rows of a store. For an archive, the documents, the index and a few small
/// entries are read: the counts come from the index, and only a verification shows whether the
/// index is right.
public struct StoreInspector: Sendable {
  /// The environment for reading the store or archive.
  public var environment: WorkEnvironment

  /// Creates an inspector; the default environment is safe in any app.
  public init(environment: WorkEnvironment = WorkEnvironment()) { self.environment = environment }

  /// Inspects a store or an archive on the caller's thread.
  package func inspect(_ path: String) throws -> Inspection {
    switch try SourceKind(ofFileAt: path) {
    case .store:
      return try PersistentStore(readingFrom: path, access: environment.storeAccess)
        .readingAgainIfChanged(inspect)
    case .archive, .changes:
      return try ArchiveInspection(environment.openArchive(path)).result()
    }
  }

  private func inspect(_ store: PersistentStore) throws -> Inspection {
    let store = try store.fitted(to: environment.model)
    let inspection = try StoreInspection(store).result()
    try store.requireUnchanged()
    return inspection
  }
}

extension StoreInspector {
  /// Inspects a store or an archive, recognized by its content.
  ///
  /// - Throws: ``CofferError`` if it is not an archive and cannot be read as a store: `not-found`,
  ///   `read-failed`, `not-sqlite`, `not-a-core-data-store`, `wal-missing`, `store-busy`,
  ///   `cannot-copy`, `damaged-store`; `CofferError` for an archive: `truncated-archive`,
  ///   `damaged-archive`, `newer-format`, `archive-limit`, `read-failed`; `CofferError` with
  ///   `model-mismatch` if it has a different model than the environment requires.
  public func inspect(_ path: String) async throws -> Inspection {
    try await BackgroundWork.run { try inspect(path) }
  }
}
