/// Compares two stores, or archives of them, object by object.
///
/// ```swift
/// let summary = try StoreComparison().compare("Trips.sqlite", "Trips.coffer.tar.gz") {
///   print($0)
/// }
/// print(summary.isEqual)
/// ```
///
/// Objects are matched by their root entity and their primary key; those of an entity that has another
/// root on the other side, and so another table, by their entity and their primary key. Both sides are read in the order
/// of their keys and in bounded memory. What two archives hold under equal digests is equal and not
/// read again; only a verification tells whether an archive's digests are true.
public struct StoreComparison: Sendable {
  /// How the stores are compared.
  public var options: ComparisonOptions
  /// Who is told how far the work is.
  public var progress: any ProgressReporter

  /// Creates a comparison.
  public init(
    options: ComparisonOptions = ComparisonOptions(),
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Compares two sources, each a store or an archive, which their content tells.
  ///
  /// Differences come in a fixed order: those of the stores themselves, the objects table by table
  /// in ascending order of primary keys, the pairs, the tables beside them, the files.
  ///
  /// - Parameters:
  ///   - first: the path of the source that the other is compared with.
  ///   - second: the path of the other source.
  ///   - onDifference: called for every difference, with the comparison waiting; what it throws ends
  ///     the comparison.
  /// - Returns: how many differences there were.
  /// - Throws: ``CofferError`` when a store, `CofferError` when an archive cannot be read;
  ///   `CancellationError` when the task is cancelled; what the closure throws.
  @discardableResult
  public func compare(
    _ first: String, _ second: String, onDifference: (Difference) throws -> Void = { _ in }
  ) throws -> ComparisonSummary {
    try ComparisonRun(options: options, progress: progress).compare(first, second, onDifference)
  }
}
