package import CofferComparison
package import CofferCore
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore
internal import POSIX

/// Reports the changes that an app saves to a store, while it saves.
///
/// ```swift
/// let watch = try StoreWatch(of: "Trips.sqlite")
/// try app.save()
/// try watch.look { event in print(event) }
/// ```
///
/// Each look compares the rows of the store with the rows of the last look, as ``StoreComparison`` does, so it
/// reports the net effect of everything that was committed in between, by whatever writer. It does not
/// report counters, or rows of tables without objects, such as the persistent history.
///
/// Nothing is changed, and no lock is taken: no writer has to wait. The watch keeps private copies
/// of two states, twice the size of the store. An external file that changes while its name stays the same
/// is not noticed.
///
/// A watch is for one thread.
package final class StoreWatch {
  /// The path of the store, without symbolic links.
  package var path: String { follower.path }
  /// The findings of the last state that was verified; empty if none is.
  package private(set) var findings: Set<Finding> = []

  private let options: WatchOptions
  private let follower: StoreFollower
  /// Since when no state can be read; nil if one could.
  private var unsettledSince: Double?
  /// Whether it was reported that no state can be read.
  private var hasToldTrouble = false

  /// The number of nanoseconds between two looks of ``StoreWatcher/watch(_:onEvent:)``.
  package static let interval: Int64 = 50_000_000

  /// Begins to watch a store, from its state now.
  ///
  /// - Throws: ``CofferError`` if the store cannot be read, with `store-busy` if a transaction is under way
  ///   for seconds, `cannot-copy` without space for the copies, `no-such-entity`, or `model-mismatch`;
  ///   `CancellationError`.
  package init(of path: String, options: WatchOptions = WatchOptions()) throws {
    self.options = options
    follower = try StoreFollower(
      of: path, copiesIn: options.environment.temporaryFolder, waiting: options.patience)
    // A comparison of the store with itself shows errors in the store or the options.
    try compare(nil) { _ in }
    if options.verifies { findings = try verify() }
  }

  /// Begins to watch a store as soon as it stays unchanged long enough to be copied.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - options: the parts to watch.
  ///   - onEvent: called once if that takes longer than the store may be unreadable.
  /// - Returns: the watch.
  /// - Throws: as ``init(of:options:)``, without `store-busy`; errors from the closure.
  package static func begin(
    _ path: String, options: WatchOptions = WatchOptions(),
    onEvent: (WatchEvent) throws -> Void
  ) throws -> StoreWatch {
    var hasToldTrouble = false
    while true {
      do {
        return try StoreWatch(of: path, options: options)
      } catch let error as CofferError where error.code == .storeBusy {
        if !hasToldTrouble { try onEvent(.waiting(error)) }
        hasToldTrouble = true
      }
      try Task<Never, Never>.checkCancellation()
    }
  }

  /// Looks at the store once, and reports the changes since the last look.
  ///
  /// A look that finds nothing costs next to nothing. Otherwise its cost grows with the number of written
  /// pages, or, if these are unknown, with the size of the store.
  ///
  /// - Parameter onEvent: called for each event: first that the store has changed, then
  ///   each difference, in the order of ``StoreComparison``, then findings.
  /// - Throws: ``CofferError`` if the store cannot be read any more, because it is damaged, is no store, or
  ///   has another model than the one of the options; `CancellationError`; errors from the closure. Then
  ///   the watch is over.
  package func look(_ onEvent: (WatchEvent) throws -> Void) throws {
    switch try follower.look() {
    case .unchanged: settle()
    case .missing:
      if !hasToldTrouble { try onEvent(.removed) }
      hasToldTrouble = true
    case .unsettled: try wait(follower.busy, onEvent)
    case .changed(let change):
      do {
        try tell(change, onEvent)
      } catch let error as CofferError where error.isOfUnfinishedStore {
        try wait(error, onEvent)
      }
    }
  }

  /// Notes that a state could be read.
  private func settle() { (unsettledSince, hasToldTrouble) = (nil, false) }

  /// Tells once that no state can be read, after some time.
  private func wait(_ error: CofferError, _ onEvent: (WatchEvent) throws -> Void) throws {
    let now = SystemClock.monotonicSeconds
    let began = unsettledSince ?? now
    unsettledSince = began
    guard !hasToldTrouble, now - began >= options.patience else { return }
    hasToldTrouble = true
    try onEvent(.waiting(error))
  }

  // MARK: Changes

  private func tell(
    _ change: StoreFollower.Change, _ onEvent: (WatchEvent) throws -> Void
  ) throws {
    if change.isReplaced, try isOtherStore() {
      try onEvent(.replaced)
    } else {
      let changes = WatchedChanges(
        moment: .now, commitCount: change.commitCount, isReplaced: change.isReplaced)
      var isAnnounced = false
      try compare(change) { difference in
        if case .rows = difference { return }
        if !isAnnounced { try onEvent(.changes(changes)) }
        isAnnounced = true
        try onEvent(.difference(difference))
      }
    }
    try follower.accept()
    settle()
    if options.verifies {
      let before = findings
      findings = try verify()
      for finding in findings.subtracting(before).inOrder { try onEvent(.newFinding(finding)) }
      for finding in before.subtracting(findings).inOrder { try onEvent(.goneFinding(finding)) }
    }
  }

  /// Whether the state now is of a store with another UUID.
  private func isOtherStore() throws -> Bool {
    let uuids = try [follower.before, follower.after].map { content in
      try PersistentStore(stateOf: path, in: content).uuid
    }
    return uuids[0] != uuids[1]
  }

  /// Compares the state at the last look with the state now.
  ///
  /// - Parameters:
  ///   - change: the differences; nil for none.
  ///   - onDifference: called for every difference.
  /// - Throws: errors from reading the copies, and from the closure.
  private func compare(
    _ change: StoreFollower.Change?, _ onDifference: (Difference) throws -> Void
  ) throws {
    var run = ComparisonRun(options: Self.comparison(options), progress: SilentProgress())
    run.contents = (follower.before, follower.after)
    if let change {
      run.changedRows = try follower.changedRows(change)
    } else {
      run.changedRows = try ChangedRows()
    }
    _ = try run.compare(path, path, onDifference)
  }

  /// How two states are compared.
  package static func comparison(_ options: WatchOptions) -> ComparisonOptions {
    var comparison = ComparisonOptions(includesValues: true, environment: options.environment)
    comparison.matchesByObjectID = true
    comparison.describesObjects = true
    comparison.ignoredAspects = [.history, .counters]
    comparison.entityNames = options.entityNames
    comparison.environment.storeAccess = .inPlace
    return comparison
  }

  /// The findings of the state now.
  private func verify() throws -> Set<Finding> {
    var verification = VerificationOptions()
    verification.environment = options.environment
    let store = try PersistentStore(
      stateOf: path, in: follower.after, toleratesMissingTables: true)
    var found: Set<Finding> = []
    try Verifier(options: verification).verify(store) { found.insert($0) }
    return found
  }
}

extension CofferError {
  /// Whether a program may be about to make the store, or to write it.
  fileprivate var isOfUnfinishedStore: Bool {
    [.notCoreData, .walMissing, .storeBusy].contains(code)
  }
}

extension Set<Finding> {
  /// The worst first, then by their text.
  fileprivate var inOrder: [Finding] {
    sorted { left, right in
      left.severity == right.severity
        ? left.description < right.description : left.severity > right.severity
    }
  }
}
