public import CofferComparison
public import CofferCore
internal import CoreDataModel
internal import CoreDataStore

// Every function that works on a store or an archive has an asynchronous twin with the same name,
// arguments, result and errors. The work runs on its own thread, where it also calls closures, and the
// caller's actor is free meanwhile. If the task is canceled, the work soon ends with `CancellationError`
// and leaves nothing behind.

extension ChangesApplier {
  /// Applies changes to a store without blocking the caller.
  @discardableResult
  public func apply(
    _ changes: String, to store: String, at newStore: String? = nil
  ) async throws -> ApplySummary {
    try await BackgroundWork.run(progress) { try apply(changes, to: store, at: newStore) }
  }

  /// Compares a store with what changes would make of it without blocking the caller.
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

extension StoreDeduplicator {
  /// Removes the duplicates of a store without blocking the caller.
  @discardableResult
  public func deduplicate(
    _ store: String, at newStore: String? = nil
  ) async throws -> DeduplicationSummary {
    try await BackgroundWork.run(progress) { try deduplicate(store, at: newStore) }
  }

  /// Compares a store with what removing its duplicates would make of it without blocking the caller.
  @discardableResult
  public func preview(
    _ store: String, comparison: ComparisonOptions = ComparisonOptions(),
    onDifference: @escaping @Sendable (Difference) throws -> Void = { _ in }
  ) async throws -> DeduplicationSummary {
    try await BackgroundWork.run(progress) {
      try preview(store, comparison: comparison, onDifference: onDifference)
    }
  }
}

extension StoreRepairer {
  /// Repairs a store without blocking the caller.
  @discardableResult
  public func repair(
    _ store: String, report: @escaping @Sendable (RepairOutcome) throws -> Void = { _ in }
  ) async throws -> RepairSummary {
    try await BackgroundWork.run(progress) { try repair(store, report: report) }
  }

  /// Finds out what a repair would change without blocking the caller.
  @discardableResult
  public func plan(
    _ store: String, writingTo target: ArchiveTarget? = nil,
    report: @escaping @Sendable (RepairOutcome) throws -> Void = { _ in }
  ) async throws -> RepairSummary {
    try await BackgroundWork.run(progress) {
      try plan(store, writingTo: target, report: report)
    }
  }
}

extension StoreRescuer {
  /// Makes a working store of a damaged one without blocking the caller.
  @discardableResult
  public func rescue(_ store: String, to newStore: String) async throws -> RescueSummary {
    try await BackgroundWork.run(progress) { try rescue(store, to: newStore) }
  }
}

extension StoreChanges {
  /// Reads the changes as differences without blocking the caller.
  @discardableResult
  public func inspect(
    includesValues: Bool = false,
    onDifference: @escaping @Sendable (Difference) throws -> Void = { _ in }
  ) async throws -> ChangesSummary {
    try await BackgroundWork.run {
      try inspect(includesValues: includesValues, onDifference: onDifference)
    }
  }

  /// Reads the findings that the changes mend without blocking the caller.
  public func repairs(_ body: @escaping @Sendable (RecordedRepair) throws -> Void) async throws {
    try await BackgroundWork.run { try repairs(body) }
  }

  /// Reads the changes of the objects of an entity without blocking the caller.
  public func show(
    _ entityName: String, primaryKey: Int64? = nil,
    onDifference: @escaping @Sendable (ObjectDifference) throws -> Void
  ) async throws {
    try await BackgroundWork.run {
      try show(entityName, primaryKey: primaryKey, onDifference: onDifference)
    }
  }

  /// Reads the file completely without blocking the caller.
  @discardableResult
  public func verify() async throws -> VerificationSummary {
    try await BackgroundWork.run { try verify() }
  }

  /// Writes the changes that lead back without blocking the caller.
  @discardableResult
  public func reverse(
    to target: ArchiveTarget, options: ChangesOptions = ChangesOptions()
  ) async throws -> ChangesSummary {
    try await BackgroundWork.run { try reverse(to: target, options: options) }
  }

  /// Joins changes that follow each other without blocking the caller.
  @discardableResult
  public static func concatenate(
    _ paths: [String], access: ArchiveAccess = ArchiveAccess(), to target: ArchiveTarget,
    options: ChangesOptions = ChangesOptions()
  ) async throws -> ChangesSummary {
    try await BackgroundWork.run {
      try concatenate(paths, access: access, to: target, options: options)
    }
  }
}

extension StoreMerger {
  /// Merges a store or an archive into a store without blocking the caller.
  @discardableResult
  public func merge(
    _ other: String, into store: String, base: String? = nil, at newStore: String? = nil
  ) async throws -> MergeSummary {
    try await BackgroundWork.run(progress) {
      try merge(other, into: store, base: base, at: newStore)
    }
  }

  /// Compares a store with what a merge would make of it without blocking the caller.
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

extension ArchiveRepairer {
  /// Mends an archive without blocking the caller.
  @discardableResult
  public func repair(
    _ archive: String, with others: [String], to target: ArchiveTarget
  ) async throws -> ArchiveRepairSummary {
    try await BackgroundWork.run(progress) { try repair(archive, with: others, to: target) }
  }
}

extension StoreCompactor {
  /// Finds out what a compaction would win without blocking the caller.
  public func plan(_ store: String) async throws -> CompactionPlan {
    try await BackgroundWork.run(progress) { try plan(store) }
  }

  /// Compacts a store without blocking the caller.
  @discardableResult
  public func compact(
    _ store: String, at newStore: String? = nil,
    planned: @escaping @Sendable (CompactionPlan) throws -> Void = { _ in }
  ) async throws -> CompactionSummary {
    try await BackgroundWork.run(progress) {
      try compact(store, at: newStore, planned: planned)
    }
  }
}

extension StoreComparison {
  /// Writes a file of changes without blocking the caller.
  @discardableResult
  public func writeChanges(
    from first: String, to second: String, at target: ArchiveTarget,
    writing: ChangesOptions = ChangesOptions()
  ) async throws -> ChangesSummary {
    try await BackgroundWork.run(progress) {
      try writeChanges(from: first, to: second, at: target, writing: writing)
    }
  }
}
