/// Comparisons that do not block the caller.
///
/// The work runs on a thread of its own, where it calls the receiver of the differences too; the caller's
/// actor is free meanwhile. When the task is cancelled it ends soon, with `CancellationError`.
extension StoreComparison {
  /// Compares two sources, each a store or an archive.
  ///
  /// - Throws: as the synchronous function.
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
