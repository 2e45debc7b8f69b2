internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

// Every function that works on a store or an archive has an asynchronous twin with the same name,
// arguments, result and errors. The work runs on its own thread, where it also calls closures, and the
// caller's actor is free meanwhile. If the task is canceled, the work soon ends with `CancellationError`
// and leaves nothing behind.

extension StoreMigrator {
  /// Plans a migration without blocking the caller.
  public func plan(_ source: String, to model: String) async throws -> MigrationPlan {
    try await BackgroundWork.run(progress) { try plan(source, to: model) }
  }

  /// Migrates a store without blocking the caller.
  @discardableResult
  public func migrate(
    _ source: String, to model: String, at store: String
  ) async throws -> MigrationSummary {
    try await BackgroundWork.run(progress) { try migrate(source, to: model, at: store) }
  }
}

extension StoreSharer {
  /// Writes a share without blocking the caller.
  @discardableResult
  public func share(
    _ source: String, to target: String, as form: ShareTarget = .store,
    explained: (@Sendable (SharedObject) throws -> Void)? = nil
  ) async throws -> ShareSummary {
    try await BackgroundWork.run(progress) {
      try share(source, to: target, as: form, explained: explained)
    }
  }
}
