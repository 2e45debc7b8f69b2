public import CoreDataStore

/// Exports that do not block the caller.
///
/// The work runs on a thread of its own; the caller's actor is free meanwhile. When the task is cancelled
/// it ends soon, with `CancellationError`, and leaves nothing.
extension StoreExporter {
  /// Opens a store and writes an archive to a file, which must not be there yet.
  ///
  /// - Parameters:
  ///   - store: the path of the store, which the app may have open.
  ///   - archive: the path of the archive.
  /// - Returns: what was written.
  /// - Throws: as ``PersistentStore/init(readingFrom:access:)``, and as
  ///   `export(_:to:)` to an ``ArchiveTarget``.
  @discardableResult
  public func export(storeAt store: String, to archive: String) async throws -> ExportSummary {
    try await export(storeAt: store, to: .file(archive))
  }

  /// Opens a store and writes an archive.
  ///
  /// - Parameters:
  ///   - store: the path of the store, which the app may have open.
  ///   - target: where the archive goes.
  /// - Returns: what was written.
  /// - Throws: as ``export(storeAt:to:)-(_,String)``.
  @discardableResult
  public func export(
    storeAt store: String, to target: ArchiveTarget
  ) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) {
      progress.report(WorkProgress(.opening))
      return try export(PersistentStore(readingFrom: store), to: target)
    }
  }

  /// Writes an archive to a file, which must not be there yet.
  ///
  /// - Throws: as `export(_:to:)` to an ``ArchiveTarget``.
  @discardableResult
  public func export(_ store: PersistentStore, to path: String) async throws -> ExportSummary {
    try await export(store, to: .file(path))
  }

  /// Writes an archive.
  ///
  /// - Throws: as `export(_:to:)` to an ``ArchiveTarget``.
  @discardableResult
  public func export(
    _ store: PersistentStore, to target: ArchiveTarget
  ) async throws -> ExportSummary {
    try await BackgroundWork.run(progress) { try export(store, to: target) }
  }
}
