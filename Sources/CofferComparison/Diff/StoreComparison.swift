public import CofferCore

/// Compares two stores, or archives of them, object by object.
///
/// ```swift
/// let summary = try await StoreComparison().compare("Trips.sqlite", "Trips.coffer.tar.gz") {
///   print($0)
/// }
/// print(summary.isEqual)
/// ```
///
/// Matches the objects of each entity by the first rule that applies: a natural key of the options, a
/// uniqueness constraint, or the primary key. Memory is bounded; data that does
/// not fit goes to temporary files. Archives with equal content digests and documents are equal, and
/// so are tables with equal digests: neither are read. Of two states of one store, only the rows on pages that
/// differ are read, unless a natural key, or a key with a relationship, matches objects, or objects with different
/// primary keys match. To check the digests of an archive, verify it.
public struct StoreComparison: Sendable {
  /// The options of the comparison.
  public var options: ComparisonOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates a comparison with options and a receiver of its progress.
  public init(
    options: ComparisonOptions = ComparisonOptions(),
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Compares two stores or archives on the caller's thread.
  @discardableResult
  package func compare(
    _ first: String, _ second: String, onDifference: (Difference) throws -> Void = { _ in }
  ) throws -> ComparisonSummary {
    try ComparisonRun(options: options, progress: progress).compare(first, second, onDifference)
  }
}

extension StoreComparison {
  /// Compares two sources, each a store or an archive, recognized by content.
  ///
  /// Differences come in a fixed order: the stores themselves, objects by table and ascending
  /// primary key in the first source, pairs, other tables, files.
  ///
  /// - Parameters:
  ///   - first: the path of the source to start from.
  ///   - second: the path of the source to compare with it.
  ///   - onDifference: called for every difference. If it throws, the comparison ends
  ///     with that error.
  /// - Returns: the number of differences.
  /// - Throws: ``CofferError`` if a source cannot be read, with `no-such-entity` or
  ///   `no-such-property` for names in the options that the sources do not have;
  ///   `CancellationError` if the task is canceled; errors from the closure.
  @discardableResult
  public func compare(
    _ first: String, _ second: String,
    onDifference: @escaping @Sendable (Difference) throws -> Void = { _ in }
  ) async throws -> ComparisonSummary {
    try await BackgroundWork.run(progress) {
      try compare(first, second, onDifference: onDifference)
    }
  }

  /// The differences between two stores or archives, as they are found.
  ///
  /// The work begins with the first requested difference, and waits for a slow reader.
  ///
  /// - Parameters:
  ///   - first: the first store or archive.
  ///   - second: the second one.
  /// - Returns: the differences in the order and with the errors of `compare(_:_:onDifference:)`.
  public func differences(
    between first: String, and second: String
  ) -> some AsyncSequence<Difference, any Error> {
    WorkSequence(progress) { receive in try compare(first, second, onDifference: receive) }
  }
}
