public import CofferComparison
public import CofferCore
internal import CoreDataArchive
internal import CoreDataModel

/// Applies change files to stores.
///
/// ```swift
/// try await StoreComparison().writeChanges(
///   from: "Monday.sqlite", to: "Tuesday.sqlite", at: .file("Day.coffer-changes.tar.gz"))
/// try await ChangesApplier().apply("Day.coffer-changes.tar.gz", to: "Monday.sqlite")
/// ```
///
/// The store must be in the state that the changes begin with, as far as they record it. A private
/// copy is changed and checked, then replaces the store with a single rename, so the path always holds
/// a whole store: the old one or the new one.
public struct ChangesApplier: Sendable {
  /// The options.
  public var options: ApplyOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates an applier with options and a receiver of its progress.
  public init(
    options: ApplyOptions = ApplyOptions(), progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Applies changes to a store on the caller's thread.
  @discardableResult
  package func apply(
    _ changes: String, to store: String, at newStore: String? = nil
  ) throws -> ApplySummary {
    try run(changes, store, newStore) { run, copy in
      try run.requireSoundness()
      try copy.place(writeUndo: run.writeUndo)
      return run.summary
    }
  }

  /// Compares a store with the result of applying changes on the caller's thread.
  @discardableResult
  package func preview(
    _ changes: String, to store: String, comparison: ComparisonOptions = ComparisonOptions(),
    onDifference: (Difference) throws -> Void = { _ in }
  ) throws -> ComparisonSummary {
    try run(changes, store, nil, isPlan: true) { run, copy in
      try run.requireSoundness()
      return try copy.compare(comparison, onDifference: onDifference)
    }
  }

  /// Passes on the content digest of the result of applying changes, without changing the store.
  func result<T>(of changes: String, to store: String, _ body: (String) throws -> T) throws -> T {
    try run(changes, store, nil, isPlan: true) { _, copy in try body(copy.contentDigestOfCopy()) }
  }

  private func run<T>(
    _ changes: String, _ store: String, _ newStore: String?, isPlan: Bool = false,
    _ body: (ApplyRun, EditedCopy) throws -> T
  ) throws -> T {
    let file = try ChangesFile(
      path: changes, environment: options.environment, isReversed: options.isReversed)
    guard file.states.isReversible else { throw CofferError.irreversibleChanges(path: changes) }
    let copy = try EditedCopy(
      of: store, at: newStore, .link, options.editing, isPlan: isPlan,
      environment: options.environment, progress: progress)
    defer { copy.abandon() }
    let run = ApplyRun(file, to: copy, options: options, progress: progress)
    try run.complete()
    return try body(run, copy)
  }
}

/// Options for applying changes.
public struct ApplyOptions: Sendable {
  /// Whether to reverse the changes instead: the store must be in the state that they lead to.
  public var isReversed = false
  /// The options of every change of a store.
  public var editing = EditingOptions()
  /// Whether to refuse a result with errors in its data that the store did not have.
  public var isStrict = false
  /// How to read the change file.
  public var environment = WorkEnvironment()

  /// Creates the default options.
  public init() {}
}

/// The result of applying changes.
public struct ApplySummary: Sendable {
  /// The number of changes.
  public var changes: ChangesSummary
  /// The UUID of the store.
  public var storeUUID: String?
  /// The defects of the result that the store did not have, a limited number of each kind.
  public var findings: [Finding] = []
  /// The number of errors among them, including unlisted ones.
  public var errorCount = 0
}

extension ChangesApplier {
  /// Applies changes to a store.
  ///
  /// - Parameters:
  ///   - changes: the change file.
  ///   - store: the store.
  ///   - newStore: the path of the changed store; nil to replace the store itself.
  /// - Returns: the summary of the changes.
  /// - Throws: ``CofferError``: `wrong-state` if the store is not in the state that the changes begin with,
  ///   `model-mismatch` if it has another model or schema, `store-busy` if it is in use or was changed
  ///   meanwhile, `new-findings` if the result has errors that the store did not have and the options are
  ///   strict; `damaged-archive` if the result is not the recorded state; `irreversible-changes` for changes
  ///   without the previous values; errors from reading the file and from writing the store;
  ///   `CancellationError`. On failure, the store is unchanged.
  @discardableResult
  public func apply(
    _ changes: String, to store: String, at newStore: String? = nil
  ) async throws -> ApplySummary {
    try await BackgroundWork.run(progress) { try apply(changes, to: store, at: newStore) }
  }

  /// Compares a store with the result of applying changes.
  ///
  /// The store is not changed.
  ///
  /// - Parameters:
  ///   - changes: the change file.
  ///   - store: the store.
  ///   - comparison: how to compare the two.
  ///   - onDifference: called for every difference. If it throws, the work ends with that error.
  /// - Returns: the number of differences, as reported by a comparison of the two.
  /// - Throws: the errors of `apply(_:to:at:)`; errors from the closure.
  @discardableResult
  public func preview(
    _ changes: String, to store: String, comparison: ComparisonOptions = ComparisonOptions(),
    onDifference: @escaping @Sendable (Difference) throws -> Void = { _ in }
  ) async throws -> ComparisonSummary {
    try await BackgroundWork.run(progress) {
      try preview(changes, to: store, comparison: comparison, onDifference: onDifference)
    }
  }
}
