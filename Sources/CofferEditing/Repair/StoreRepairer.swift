internal import CofferComparison
public import CofferCore

/// Repairs defects that a verification finds in a store.
///
/// ```swift
/// let repairer = StoreRepairer()
/// for repair in try await repairer.plan("Trips.sqlite").repairs { print(repair.finding, repair.change) }
/// let summary = try await repairer.repair("Trips.sqlite")
/// print(summary.errorCount)
/// ```
///
/// ``FindingCode/fix`` describes the fix of a finding and its cost. A private copy is changed and
/// verified, then replaces the store with a single rename.
public struct StoreRepairer: Sendable {
  /// The options.
  public var options: RepairOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates a repairer with options and a receiver of its progress.
  public init(
    options: RepairOptions = RepairOptions(), progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Repairs a store on the caller's thread.
  @discardableResult
  package func repair(
    _ store: String, onOutcome: (RepairOutcome) throws -> Void = { _ in }
  ) throws -> RepairSummary {
    let run = RepairRun(
      path: store, options: options, progress: progress,
      allowsSchemaChanges: options.editing.undo == nil, isPlan: false)
    return try run.run(onOutcome) { copy, _, summary in
      summary.differences = try differences(copy)
      try copy.place()
    }
  }

  /// Plans a repair on the caller's thread.
  @discardableResult
  package func plan(
    _ store: String, writingTo target: ArchiveTarget? = nil,
    onOutcome: (RepairOutcome) throws -> Void = { _ in }
  ) throws -> RepairSummary {
    let run = RepairRun(
      path: store, options: options, progress: progress,
      allowsSchemaChanges: target == nil && options.editing.undo == nil, isPlan: true)
    return try run.run(onOutcome) { copy, writeRepairs, summary in
      summary.differences = try differences(copy)
      // An app may have saved since the copy was made: the comparison would mistake that for
      // repairs.
      try copy.requireStoreUnchanged()
      if let target { summary.plan = try copy.writeChanges(to: target, writeRepairs: writeRepairs) }
    }
  }

  private func differences(_ copy: EditedCopy) throws -> ComparisonSummary {
    var options = ComparisonOptions(environment: .inPlace)
    options.matchesByObjectID = true
    return try copy.compare(options)
  }
}

extension StoreRepairer {
  /// Repairs a store.
  ///
  /// A store with nothing to repair is not touched.
  ///
  /// - Parameters:
  ///   - store: the path of the store.
  ///   - onOutcome: receives the outcome of each finding after the store is changed: the repairs in
  ///     order, then the remaining findings.
  /// - Returns: the changes, and the remaining findings.
  /// - Throws: ``CofferError``: `model-mismatch` if the given model is not the store's, `damaged-store`
  ///   if its pages are damaged, `mirrored-store` if CloudKit mirrors it and the options do not allow
  ///   that, `new-findings` if the result would have errors that the store does not have, `refused` if
  ///   the change is impossible, `store-busy` if the store is in use or was changed meanwhile; errors
  ///   from reading and writing. `CancellationError`. On failure, the store is unchanged. Errors from
  ///   the closure.
  @discardableResult
  public func repair(
    _ store: String, onOutcome: @escaping @Sendable (RepairOutcome) throws -> Void = { _ in }
  ) async throws -> RepairSummary {
    try await BackgroundWork.run(progress) { try repair(store, onOutcome: onOutcome) }
  }

  /// Plans a repair without changing anything.
  ///
  /// - Parameters:
  ///   - store: the path of the store.
  ///   - target: the place of a change file with the plan, which ``ChangesApplier`` can apply; nil
  ///     for none. It is not written if there is nothing to repair.
  ///   - onOutcome: receives the planned outcome of each finding, as in `repair(_:onOutcome:)`.
  /// - Returns: the planned changes, and the findings that would remain.
  /// - Throws: the errors of `repair(_:onOutcome:)`; errors from writing the file.
  @discardableResult
  public func plan(
    _ store: String, writingTo target: ArchiveTarget? = nil,
    onOutcome: @escaping @Sendable (RepairOutcome) throws -> Void = { _ in }
  ) async throws -> RepairSummary {
    try await BackgroundWork.run(progress) {
      try plan(store, writingTo: target, onOutcome: onOutcome)
    }
  }
}
