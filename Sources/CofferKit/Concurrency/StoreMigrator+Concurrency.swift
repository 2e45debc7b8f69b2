/// Migrations that do not block the caller.
///
/// The work runs on a thread of its own; the caller's actor is free meanwhile. When the task is cancelled
/// it ends soon, with `CancellationError`, and leaves nothing.
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
