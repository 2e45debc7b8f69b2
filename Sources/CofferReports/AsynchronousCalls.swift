internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

// Every function that works on a store or an archive has an asynchronous twin with the same name,
// arguments, result and errors. The work runs on its own thread, where it also calls closures, and the
// caller's actor is free meanwhile. If the task is canceled, the work soon ends with `CancellationError`
// and leaves nothing behind.

extension StoreReporter {
  /// Creates a report on a store or an archive without blocking the caller.
  public func report(on path: String) async throws -> StoreReport {
    try await BackgroundWork.run(progress) { try report(on: path) }
  }
}
