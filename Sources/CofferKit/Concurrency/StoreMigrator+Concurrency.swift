/// Migrations without blocking the caller.
///
/// The work runs on its own thread, so the caller's actor stays free. When the task is cancelled,
/// the work ends soon with `CancellationError` and leaves nothing.
extension StoreMigrator {
  /// Migrates a store.
  ///
  /// - Throws: as the synchronous function.
  @discardableResult
  public func migrate(
    _ source: String, to model: String, at store: String
  ) async throws -> MigrationSummary {
    try await BackgroundWork.run(progress) { try migrate(source, to: model, at: store) }
  }
}
