/// Comparisons without blocking the caller.
///
/// The work runs on its own thread, which also calls the receiver of the differences, so the
/// caller's actor stays free. When the task is cancelled, the work ends soon with
/// `CancellationError`.
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
