public import CofferComparison
public import CofferCore
internal import CoreDataModel
public import CoreDataStore
internal import Foundation

/// Removes duplicates from stores: keeps one of the objects with the same key.
///
/// ```swift
/// var options = DeduplicationOptions()
/// options.naturalKeys = [NaturalKey(entityName: "TagEntity", keyPaths: ["name"])]
/// let summary = try await StoreDeduplicator(options: options).deduplicate("Trips.sqlite")
/// print(summary.duplicateCount)
/// ```
///
/// References to the others lead to the remaining one. A private copy is changed and verified, then
/// replaces the store with a single rename.
public struct StoreDeduplicator: Sendable {
  /// The options.
  public var options: DeduplicationOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates a deduplicator with options and a receiver of its progress.
  public init(
    options: DeduplicationOptions = DeduplicationOptions(),
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Removes the duplicates of a store on the caller's thread.
  @discardableResult
  package func deduplicate(
    _ store: String, at newStore: String? = nil
  ) throws -> DeduplicationSummary {
    let copy = try copy(of: store, at: newStore)
    defer { copy.abandon() }
    var summary = DeduplicationSummary()
    guard try change(copy, always: newStore != nil, &summary) else { return summary }
    (summary.differences, summary.findings) = try copy.complete()
    return summary
  }

  /// Compares a store with the result of removing its duplicates on the caller's thread.
  @discardableResult
  package func preview(
    _ store: String, comparison: ComparisonOptions = ComparisonOptions(),
    onDifference: (Difference) throws -> Void = { _ in }
  ) throws -> DeduplicationSummary {
    let copy = try copy(of: store, at: nil, isPlan: true)
    defer { copy.abandon() }
    var summary = DeduplicationSummary()
    _ = try change(copy, always: true, &summary)
    summary.findings = try copy.requireSoundness()
    summary.differences = try copy.compare(comparison, onDifference: onDifference)
    return summary
  }

  private func copy(
    of store: String, at newStore: String?, isPlan: Bool = false
  ) throws -> EditedCopy {
    let copy = try EditedCopy(
      of: store, at: newStore, .link, options.editing, isPlan: isPlan,
      environment: options.environment, progress: progress)
    try copy.requireOwnModel()
    return copy
  }

  /// Changes the copy, unless there are no duplicates and no new store is requested.
  ///
  /// - Returns: whether the copy was made.
  private func change(
    _ copy: EditedCopy, always: Bool, _ summary: inout DeduplicationSummary
  ) throws -> Bool {
    summary.storeUUID = copy.store.uuid
    var (groups, entities) = try groups(in: copy.store)
    defer { summary.entities = entities.filter { $0.rule != .objectID } }
    guard always || !groups.isEmpty else { return false }
    let counts = try copy.edit { database, files in
      let editor = try ObjectEditor(database, of: copy.store)
      let merging = try DuplicateMerging(editor, database, keeping: options.survivor)
      try groups.forEach { keys, kind in
        let table = editor.schema.tables.firstIndex {
          $0.tableName.hasSameBytes(as: kind.tableName)
        }
        guard let table else { preconditionFailure("the store has the table") }
        entities[kind.entity].duplicateCount += try merging.add(
          keys, in: table, equalIn: kind.columns)
      }
      var count = 0
      let counts = try merging.complete {
        count += 1
        if count & 0xff == 0 { try Task<Never, Never>.checkCancellation() }
      }
      try editor.finish(at: Date().timeIntervalSinceReferenceDate)
      files.removeExternalData(editor.releasedFiles)
      return counts
    }
    (summary.movedCount, summary.cascadedCount) = (counts.movedCount, counts.cascadedCount)
    summary.droppedCount = counts.droppedCount
    return true
  }

  private func groups(
    in store: PersistentStore
  ) throws -> (groups: DuplicateGroups, entities: [EntityDuplicates]) {
    try store.use { database in
      let source = StoreRowSource(store, database, blobLimit: LineLimits.ownEntry)
      let finder = try DuplicateFinder(
        source, naturalKeys: options.naturalKeys,
        temporaryFolder: options.environment.temporaryFolder)
      return try finder.find { count in
        progress.report(WorkProgress(.matching, completed: count))
        try Task<Never, Never>.checkCancellation()
      }
    }
  }
}

/// Options for removing duplicates.
public struct DeduplicationOptions: Sendable {
  /// The properties that identify the objects of some entities; others use their uniqueness
  /// constraints.
  public var naturalKeys: [NaturalKey] = []
  /// The rule that decides which object with the same key remains.
  public var survivor = DuplicateSurvivor.oldest
  /// The options of every change of a store.
  public var editing = EditingOptions()
  /// Where the work is done.
  public var environment = WorkEnvironment()

  /// Creates the default options.
  public init() {}
}

extension StoreDeduplicator {
  /// Removes the duplicates of a store.
  ///
  /// A store without duplicates is not touched.
  ///
  /// - Parameters:
  ///   - store: the path of the store.
  ///   - newStore: the path of the changed store; nil to replace the store itself.
  /// - Returns: the summary of the removed objects.
  /// - Throws: ``CofferError``: `nothing-chosen` if no entity has a key, `no-such-entity` or
  ///   `no-such-property` for a key that cannot be used, `unknown-store-model` if the store has no copy
  ///   of its model, `mirrored-store` if CloudKit mirrors it and the options do not allow that,
  ///   `new-findings` if the result would have errors that the store does not have, `refused` if the
  ///   change is impossible, `store-busy` if the store is in use or was changed meanwhile; errors from
  ///   reading and writing. `CancellationError`. On failure, the store is unchanged.
  @discardableResult
  public func deduplicate(
    _ store: String, at newStore: String? = nil
  ) async throws -> DeduplicationSummary {
    try await BackgroundWork.run(progress) { try deduplicate(store, at: newStore) }
  }

  /// Compares a store with the result of removing its duplicates.
  ///
  /// The store is not changed.
  ///
  /// - Parameters:
  ///   - store: the path of the store.
  ///   - comparison: how to compare the two.
  ///   - onDifference: called for every difference. If it throws, the work ends with that error.
  /// - Returns: the summary of the duplicates.
  /// - Throws: the errors of `deduplicate(_:at:)`; errors from the closure.
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
