public import CofferCore
internal import CoreDataModel
internal import CoreDataStore

// Every function that works on a store or an archive has an asynchronous twin with the same name,
// arguments, result and errors. The work runs on its own thread, where it also calls closures, and the
// caller's actor is free meanwhile. If the task is canceled, the work soon ends with `CancellationError`
// and leaves nothing behind.

extension StoreComparison {
  /// Compares two stores or archives without blocking the caller.
  @discardableResult
  public func compare(
    _ first: String, _ second: String,
    onDifference: @escaping @Sendable (Difference) throws -> Void = { _ in }
  ) async throws -> ComparisonSummary {
    try await BackgroundWork.run(progress) {
      try compare(first, second, onDifference: onDifference)
    }
  }
}

extension Verifier {
  /// Verifies a store or an archive, and then compares it with an older state of the same store, without
  /// blocking the caller.
  @discardableResult
  public func verify(
    _ path: String, against older: String, report: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) { try verify(path, against: older, report: report) }
  }
}
