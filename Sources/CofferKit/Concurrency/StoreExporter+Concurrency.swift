public import CoreDataStore

/// Exports without blocking the caller.
///
/// The work runs on its own thread, so the caller's actor stays free. When the task is cancelled,
/// the work ends soon with `CancellationError` and leaves nothing.
extension StoreExporter {
  /// Opens a store and writes an archive to a file that must not exist.
  ///
  /// - Parameters:
  ///   - store: the path of the store, which the app may have open.
  ///   - archive: the path of the archive.
  /// - Returns: the result of the export.
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
  ///   - target: the destination of the archive.
  /// - Returns: the result of the export.
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

  /// Writes an archive to a file that must not exist.
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
