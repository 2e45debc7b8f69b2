/// Data exports without blocking the caller.
///
/// The work runs on its own thread, so the caller's actor stays free. When the task is cancelled,
/// the work ends soon with `CancellationError` and leaves nothing.
extension DataExporter {
  /// Writes the objects of a store or an archive to a folder.
  ///
  /// - Throws: as the synchronous function.
  @discardableResult
  public func write(_ path: String, to folder: String) async throws -> DataExportSummary {
    try await BackgroundWork.run(progress) { try write(path, to: folder) }
  }
}
