package import CofferCore
internal import CoreDataModel
internal import CoreDataPages
package import CoreDataStore

/// An operation on two open sources of any kind.
package protocol SourcePairUse {
  associatedtype Result
  func use(_ first: some RowSource, _ second: some RowSource) throws -> Result
}

/// One run of a comparison, from opening the sources to the summary.
package struct ComparisonRun {
  package var options: ComparisonOptions
  package let progress: any ProgressReporter
  /// Private copies of two states of one store; nil to compare the sources themselves.
  package var contents: (first: String, second: String)?
  /// The rows of two stores that can differ; nil for all.
  package var changedRows: ChangedRows?
  /// Whether rows on pages that two stores have in common are left out; only tests read all.
  package var comparesPages = true
  /// Whether damaged pages are an error before they are read.
  package var checksPages = true
  /// Whether differences are counted, and not reported.
  package var onlyCounts = false

  package init(
    options: ComparisonOptions, progress: any ProgressReporter,
    contents: (first: String, second: String)? = nil, changedRows: ChangedRows? = nil
  ) {
    self.options = options
    self.progress = progress
    self.contents = contents
    self.changedRows = changedRows
  }

  /// Opens both sources and compares them.
  package func compare(
    _ first: String, _ second: String, _ onDifference: (Difference) throws -> Void
  ) throws -> ComparisonSummary {
    try withoutActuallyEscaping(onDifference) { onDifference in
      try open(first, second, for: Comparison(run: self, onDifference: onDifference))
    }
  }

  private struct Comparison: SourcePairUse {
    let run: ComparisonRun
    let onDifference: (Difference) throws -> Void

    func use(_ first: some RowSource, _ second: some RowSource) throws -> ComparisonSummary {
      var count = 0
      let tables = try TableComparison(
        first, second, options: run.options, progress: run.progress,
        onDifference: { difference in
          if run.onlyCounts { return }
          // If a store changed while it was read, a difference may only be one between two moments. To ask costs
          // more than to compare two rows: of many differences every hundredth asks.
          count += 1
          if count <= 100 || count.isMultiple(of: 100) {
            try first.requireUnchanged()
            try second.requireUnchanged()
          }
          try onDifference(difference)
        })
      var summary =
        try tables.withoutCommonRows(run)?.complete() ?? tables.complete()
      summary.firstScreen = try first.screen()?.description
      summary.secondScreen = try second.screen()?.description
      try first.requireUnchanged()
      try second.requireUnchanged()
      return summary
    }
  }

  /// Two stores without the rows on pages that they have in common; nil to read all rows.
  ///
  /// Equal rows must mean the same in both. The caller must match the rows by their keys.
  ///
  /// - Throws: ``CofferError``: `store-busy` if a store that is read in place was changed; `read-failed`;
  ///   `CancellationError`.
  package func differing(
    _ first: some RowSource, _ second: some RowSource
  ) throws -> (StoreRowSource, StoreRowSource)? {
    guard comparesPages, changedRows == nil, contents == nil, options.entityNames.isEmpty,
      let first = first as? StoreRowSource, let second = second as? StoreRowSource,
      first.metadata().uuid == second.metadata().uuid, first.model == second.model,
      first.entities == second.entities, first.shapes == second.shapes
    else { return nil }
    do {
      return try ChangedRows.between(first.store, second.store).map {
        (try first.limited(to: $0), try second.limited(to: $0))
      }
    } catch let error as CofferError where error.code != .storeBusy {
      // Reading the rows shows the defect.
      return nil
    }
  }

  /// The differences of two open sources in tables that the model does not explain.
  ///
  /// - Throws: errors from reading; `CancellationError`.
  package func unknownTables(
    _ first: some RowSource, _ second: some RowSource
  ) throws -> [RowDifferences] {
    try TableComparison(
      first, second, options: options, progress: progress, onDifference: { _ in }
    ).compareUnknownTables()
  }

  // MARK: Opening

  /// Opens both sources and closes them after use.
  package func open<Use: SourcePairUse>(
    _ first: String, _ second: String, for use: Use
  ) throws -> Use.Result {
    try opening(contents?.first).open(first, for: WithFirst(run: self, second: second, use: use))
  }

  private struct WithFirst<Use: SourcePairUse>: SourceUse {
    let run: ComparisonRun
    let second: String
    let use: Use

    func use(_ first: some RowSource) throws -> Use.Result {
      try run.opening(run.contents?.second).open(second, for: WithBoth(first: first, use: use))
    }
  }

  private struct WithBoth<First: RowSource, Use: SourcePairUse>: SourceUse {
    let first: First
    let use: Use

    func use(_ second: some RowSource) throws -> Use.Result { try use.use(first, second) }
  }

  private func opening(_ content: String?) -> SourceOpening {
    var opening = SourceOpening(options.environment)
    opening.progress = progress
    opening.checksOrder = true
    opening.checksPages = checksPages && changedRows == nil
    opening.changedRows = changedRows
    opening.content = content
    return opening
  }
}
