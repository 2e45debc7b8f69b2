public import CofferCore
package import CoreDataModel
internal import CoreDataStore
public import Foundation

/// Reclaims unused space in a store.
///
/// ```swift
/// let compactor = StoreCompactor()
/// print(try await compactor.plan("Trips.sqlite").wonByteCount)
/// let summary = try await compactor.compact("Trips.sqlite")
/// print(summary.byteCount)
/// ```
///
/// The live data is written to a new file, which replaces the store with a single rename. Left out are
/// free pages, unreferenced external files and, on request, the beginning of the persistent history.
/// Needs free disk space for the live data only.
public struct StoreCompactor: Sendable {
  /// The options.
  public var options: CompactionOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates a compactor with options and a receiver of its progress.
  public init(
    options: CompactionOptions = CompactionOptions(),
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Plans a compaction on the caller's thread.
  package func plan(_ store: String) throws -> CompactionPlan {
    progress.report(WorkProgress(.opening))
    let store = try PersistentStore.opened(store, .inPlace)
    return try store.readingAgainIfChanged { store in
      let survey = try CompactionSurvey(of: store, options, copiesFiles: false)
      try store.requireUnchanged()
      return survey.plan
    }
  }

  /// Compacts a store on the caller's thread.
  @discardableResult
  package func compact(
    _ store: String, at newStore: String? = nil, onPlan: (CompactionPlan) throws -> Void = { _ in }
  ) throws -> CompactionSummary {
    var editing = options.editing
    // Without that, no row changes.
    if options.historyLimit == nil { editing.allowsMirrored = true }
    let copy = try EditedCopy(
      of: store, at: newStore, editing.undo == nil ? .stay : .link, editing,
      environment: WorkEnvironment(), progress: progress)
    defer { copy.abandon() }
    let survey = try CompactionSurvey(of: copy.store, options, copiesFiles: newStore != nil)
    try onPlan(survey.plan)
    var summary = CompactionSummary(plan: survey.plan, storeUUID: copy.store.uuid)
    guard newStore != nil || survey.plan.wonByteCount > 0 || survey.cut != nil else {
      return summary
    }
    let compaction = StoreCompaction(copy.store, without: survey.cut)
    let total = copy.store.estimatedObjectCount
    try copy.rebuild { construction, files in
      try compaction.run(in: construction) { count in
        try Task<Never, Never>.checkCancellation()
        progress.report(WorkProgress(.objects, completed: count, total: total))
      }
      for path in survey.orphans { files.remove(path) }
    }
    summary.byteCount = try copy.copySize()
    try copy.place()
    summary.isWritten = true
    return summary
  }
}

/// Options for compacting a store.
public struct CompactionOptions: Sendable {
  /// The time of the first transaction to keep in the persistent history; nil to keep all of it.
  ///
  /// A program that reads the history from an earlier transaction gets a Core Data error (134301), and has
  /// to read the objects instead.
  public var historyBefore: Date? {
    get {
      if case .time(let moment) = historyLimit { moment.date } else { nil }
    }
    set { historyLimit = newValue.map { .time(Instant($0)) } }
  }
  /// The new beginning of the persistent history; nil to keep all of it.
  package var historyLimit: HistoryLimit?
  /// The options of every change of a store.
  ///
  /// Mirroring by CloudKit matters only where the history is cut.
  public var editing = EditingOptions()

  /// Creates the default options.
  public init() {}
}

/// The new beginning of a persistent history.
package enum HistoryLimit: Sendable, Hashable {
  /// The first transaction that is not older than this time.
  case time(Instant)
  /// The transaction with this number, as in a history token, or the first one after it.
  case transaction(Int64)
}

/// The space that a compaction reclaims.
public struct CompactionPlan: Sendable, Equatable {
  /// The size of the store's main file in bytes, including its log.
  public var byteCount = 0
  /// The size of the free pages in bytes.
  public var freeByteCount = 0
  /// The number of unreferenced external files; nil if the store has no copy of its model, so that
  /// references to files are unknown, or if they stay because references are broken.
  public var orphanedFileCount: Int?
  /// Their size in bytes.
  public var orphanedByteCount = 0
  /// The number of external files that stay although nothing refers to them: a broken reference may mean one.
  public var keptFileCount = 0
  /// The number of references to external files that are defective or whose file is missing.
  public var brokenReferenceCount = 0
  /// The number of history transactions to remove.
  public var transactionCount = 0
  /// The number of their changes.
  public var changeCount = 0
  /// The size in bytes of transactions and changes with their share of indexes, an estimate; nil if this
  /// SQLite version does not report it.
  public var historyByteCount: Int? = 0
  /// The free space in bytes that a compaction needs, an estimate.
  public var neededByteCount = 0

  /// The number of reclaimable bytes, an estimate.
  ///
  /// Partly filled pages are filled up, which can reclaim more.
  public var wonByteCount: Int { freeByteCount + orphanedByteCount + (historyByteCount ?? 0) }
}

/// The result of a compaction.
public struct CompactionSummary: Sendable {
  /// The plan of the compaction.
  public var plan: CompactionPlan
  /// The UUID of the store; nil if it has none.
  public var storeUUID: String?
  /// The size of the compact main file in bytes; nil if there was nothing to reclaim, so that nothing was
  /// written.
  public var byteCount: Int?
  /// Whether a compact store was written.
  public var isWritten = false
}

extension StoreCompactor {
  /// Plans a compaction without changing anything.
  ///
  /// - Parameter store: the path of the store.
  /// - Returns: the space that can be reclaimed.
  /// - Throws: ``CofferError``: `refused` if the history is to be cut and has an unknown form; errors from
  ///   reading.
  public func plan(_ store: String) async throws -> CompactionPlan {
    try await BackgroundWork.run(progress) { try plan(store) }
  }

  /// Compacts a store.
  ///
  /// A store with nothing to reclaim is not touched.
  ///
  /// - Parameters:
  ///   - store: the path of the store.
  ///   - newStore: the path of the compact store; nil to replace the store itself.
  ///   - onPlan: called with the plan, before anything is written. If it throws, the work ends with
  ///     that error.
  /// - Returns: the reclaimed space.
  /// - Throws: ``CofferError``: `mirrored-store` if the history is to be cut, CloudKit mirrors the store
  ///   and the options do not allow that, `refused` if the history has an unknown form or the schema is
  ///   not one of a store, `store-busy` if the store is in use or was changed meanwhile; errors from
  ///   reading and writing, and from the closure. `CancellationError`. On failure, the store is
  ///   unchanged.
  @discardableResult
  public func compact(
    _ store: String, at newStore: String? = nil,
    onPlan: @escaping @Sendable (CompactionPlan) throws -> Void = { _ in }
  ) async throws -> CompactionSummary {
    try await BackgroundWork.run(progress) {
      try compact(store, at: newStore, onPlan: onPlan)
    }
  }
}
