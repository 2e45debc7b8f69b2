public import CofferComparison
public import CofferCore
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// Merges stores.
///
/// ```swift
/// try await StoreMerger().merge("Mac.sqlite", into: "Phone.sqlite", base: "Monday.coffer.tar.gz")
/// ```
///
/// Applies the changes that the other store made since the base to the store: objects, properties and
/// relationships that it added, changed or deleted. Without a base, changes are unknown: objects that
/// only the other store has are added, and nothing is deleted. A private copy is changed and verified,
/// then replaces the store with a single rename.
///
/// Tables, as ``SheetImporter`` takes them, are merged without a base:
///
/// ```swift
/// var options = MergeOptions()
/// options.naturalKeys = [NaturalKey(entityName: "Person", keyPaths: ["email"])]
/// try await StoreMerger(options: options).merge("People.csv", into: "Trips.sqlite")
/// ```
///
/// Their records update the objects that they match, in the columns that they have, and the others become
/// new objects.
public struct StoreMerger: Sendable {
  /// The options.
  public var options: MergeOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates a merger with options and a receiver of its progress.
  public init(
    options: MergeOptions = MergeOptions(), progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Merges a store or an archive into a store on the caller's thread.
  @discardableResult
  package func merge(
    _ other: String, into store: String, base: String? = nil, at newStore: String? = nil
  ) throws -> MergeSummary {
    try run(other, store, base, newStore, isPreview: false) { copy, summary in
      (summary.differences, summary.findings) = try copy.complete()
      return summary
    }
  }

  /// Compares a store with the result of a merge on the caller's thread.
  @discardableResult
  package func preview(
    _ other: String, into store: String, base: String? = nil,
    comparison: ComparisonOptions = ComparisonOptions(),
    onDifference: (Difference) throws -> Void = { _ in }
  ) throws -> MergeSummary {
    try run(other, store, base, nil, isPreview: true) { copy, summary in
      summary.differences = try copy.compare(comparison, onDifference: onDifference)
      return summary
    }
  }

  private func run(
    _ other: String, _ store: String, _ base: String?, _ newStore: String?, isPreview: Bool,
    _ body: (EditedCopy, inout MergeSummary) throws -> MergeSummary
  ) throws -> MergeSummary {
    let copy = try EditedCopy(
      of: store, at: newStore, .link, options.editing, isPlan: isPreview,
      environment: options.environment, progress: progress)
    defer { copy.abandon() }
    if MergeOptions.isTables(other) { try copy.requireOwnModel() }
    let sources = try MergeSources(other, base: base, into: copy.store, options, progress: progress)
    do {
      return try run(sources, copy, isPreview: isPreview, body)
    } catch let error as CofferError {
      throw sources.base?.named(sources.other.named(error)) ?? sources.other.named(error)
    }
  }

  private func run(
    _ sources: MergeSources, _ copy: EditedCopy, isPreview: Bool,
    _ body: (EditedCopy, inout MergeSummary) throws -> MergeSummary
  ) throws -> MergeSummary {
    let (second, first) = (sources.other, sources.base)
    try MergeCompatibility.require(copy.store, second.store)
    if let first { try MergeCompatibility.require(copy.store, first.store) }
    var summary = MergeSummary(
      differences: ComparisonSummary(firstKind: .store, secondKind: .store))
    summary.storeUUID = copy.store.uuid
    try second.store.use { database in
      let other = MergeSide(second.store, database, madeOf: sources.tables)
      if let first = first?.store {
        try first.use { database in
          try merge(
            copy, other, MergeSide(first, database), isRecalled: sources.isRecalled, &summary,
            isPreview: isPreview)
        }
      } else {
        try merge(copy, other, nil, isRecalled: false, &summary, isPreview: isPreview)
      }
      try second.store.requireUnchanged()
      try second.store.requireInPlace()
    }
    return try body(copy, &summary)
  }

  private func merge(
    _ copy: EditedCopy, _ other: MergeSide, _ base: MergeSide?, isRecalled: Bool,
    _ summary: inout MergeSummary, isPreview: Bool
  ) throws {
    let original = copy.store
    let selected = try options.selection.map { selection throws(CofferError) in
      try SelectedObjects(
        selection, of: other.source.model, other.source.entities, path: other.store.path)
    }
    try copy.edit { database, files in
      try original.use { before in
        let store = MergeSide(original, before)
        // Reversed changes lower the counters, which do not matter here.
        if let base {
          try MergeCompatibility.require(base: base, of: isRecalled ? [store] : [store, other])
        }
        let matched = try match(store, other, base)
        let editor = try ObjectEditor(database, of: original)
        let identity = try MergeIdentity(
          store, other, base: base, matched, in: database,
          matchesByObjectID: options.matchesByObjectID)
        let concerned = options.selection?.concerned(in: other.source.model)
        let entities = matched.entities.filter { concerned?.contains($0.entityName) ?? true }
        try identity.requireRules(entities)
        try other.requireIdentified(entities)
        let added = try MergeFiles(store, other, files)
        let run = try MergeRun(
          store, other, base: base, editor, identity, added, options, in: database,
          progress: progress)
        run.selection = try selected.map {
          try MergeSelection($0, of: other, identity, editor, in: database)
        }
        try run.complete()
        if !isPreview { try run.requireSettled() }
        try editor.finish(at: Date().timeIntervalSinceReferenceDate)
        files.removeExternalData(editor.releasedFiles)
        try added.copy(besides: editor.releasedFiles)
        summary.selection = run.selection?.summary
        (summary.conflicts, summary.openConflicts) = (run.conflicts, run.open)
        summary.consequenceCount = run.consequenceCount
        summary.tablesLeftOut = run.tablesLeftOut
        summary.matching = entities.filter { $0.rule != .objectID }
      }
    }
  }

  private func match(
    _ store: MergeSide, _ other: MergeSide, _ base: MergeSide?
  ) throws -> (objects: MatchedObjects, entities: [EntityMatching]) {
    let naturalKeys =
      other.tables == nil ? options.naturalKeys : options.keysOfTables(other.store.model)
    let plan = try MatchingPlan(
      store.source, other.source, naturalKeys: naturalKeys, isSameStore: false,
      usesConstraints: !options.matchesByObjectID)
    let limits = base.map { base in [store, other].map { $0.limits(of: base) } }
    let matcher = ObjectMatcher(
      store.source, other.source, plan, temporaryFolder: options.environment.temporaryFolder
    ) { object in
      if object.side == .second, other.isKnown(object) { return true }
      return limits.map { object.key <= $0[object.side.rawValue][object.table] } ?? false
    }
    return try matcher.match { [progress] count in
      progress.report(WorkProgress(.matching, completed: count))
      try Task<Never, Never>.checkCancellation()
    }
  }
}

extension StoreMerger {
  /// Merges a store, an archive or tables into a store.
  ///
  /// - Parameters:
  ///   - other: the path of the other store, of an archive, of a change file, which is merged into
  ///     the store regardless of later changes there, or of tables: a folder, a file of CSV or
  ///     NDJSON, or `-` for standard input.
  ///   - store: the path of the store.
  ///   - base: the path of the state that both come from, as a store or an archive, or of the changes
  ///     from it to the other store; nil for none.
  ///   - newStore: the path of the merged store; nil to replace the store itself.
  /// - Returns: the summary of the changes.
  /// - Throws: ``CofferError``: `merge-conflicts` if there are conflicts that the policy does not settle,
  ///   `model-mismatch` if they have different models or tables, `wrong-state` if the base is not an earlier
  ///   state of both, `refused` if objects cannot be matched, `mirrored-store` and `new-findings` depending
  ///   on the options and the result, `incompatible-choices` for changes in both places or tables with a
  ///   base, `invalid-table` for a defect in tables, with its place, `irreversible-changes` for changes
  ///   without the previous values, `store-busy` if the store is in use or was changed meanwhile; errors
  ///   from reading and writing; `CancellationError`. On failure, the store is unchanged.
  @discardableResult
  public func merge(
    _ other: String, into store: String, base: String? = nil, at newStore: String? = nil
  ) async throws -> MergeSummary {
    try await BackgroundWork.run(progress) {
      try merge(other, into: store, base: base, at: newStore)
    }
  }

  /// Compares a store with the result of a merge.
  ///
  /// The store is not changed. The result lists the conflicts that the policy does not settle, along with
  /// everything else that would be merged.
  ///
  /// - Parameters:
  ///   - other: the path of the other store, of an archive, of a change file, or
  ///     of tables.
  ///   - store: the path of the store.
  ///   - base: the path of the state that both come from, or of the changes from it to the other store;
  ///     nil for none.
  ///   - comparison: how to compare the two.
  ///   - onDifference: called for every difference. If it throws, the work ends with that error.
  /// - Returns: the planned changes, with the differences as a comparison of the two reports them.
  /// - Throws: the errors of `merge(_:into:base:at:)`; errors from the closure.
  @discardableResult
  public func preview(
    _ other: String, into store: String, base: String? = nil,
    comparison: ComparisonOptions = ComparisonOptions(),
    onDifference: @escaping @Sendable (Difference) throws -> Void = { _ in }
  ) async throws -> MergeSummary {
    try await BackgroundWork.run(progress) {
      try preview(
        other, into: store, base: base, comparison: comparison, onDifference: onDifference)
    }
  }
}
