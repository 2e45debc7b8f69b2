/// Other shapes, without blocking the caller.
///
/// The work runs on a thread of its own; the caller's actor is free meanwhile. When the task is cancelled
/// it ends soon, with `CancellationError`, and leaves nothing.
extension DataExporter {
  /// Writes the objects of a store or an archive to a folder.
  ///
  /// - Throws: as the synchronous function.
  @discardableResult
  public func write(_ path: String, to folder: String) async throws -> DataExportSummary {
    try await BackgroundWork.run(progress) { try write(path, to: folder) }
  }
}
