internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Merges of random states, compared with a merge in memory that shares no code with the product.
@Suite struct RandomMergeTests {
  /// `COFFER_MERGE_ROUNDS` asks for more.
  static let rounds = Int(ProcessInfo.processInfo.environment["COFFER_MERGE_ROUNDS"] ?? "") ?? 24

  @Test func mergesAreThoseOfTheReference() throws {
    let trial = try MergeTrial()
    for seed in 1...Self.rounds {
      do {
        try trial.requireReference(seed: UInt64(seed))
      } catch let error as CofferError {
        Issue.record("seed \(seed): \(error) \(error.mergeConflicts.list)")
      }
    }
  }
}

/// A folder in which small stores are merged.
struct MergeTrial {
  let directory: TemporaryDirectory
  private let empty: String

  init() throws {
    directory = try TemporaryDirectory()
    empty = try MergeState.createEmptyStore(in: directory)
  }

  /// A store with the objects of a state.
  func store(_ state: MergeState, _ name: String) throws -> String {
    let path = directory.file("\(name).sqlite")
    try? StoreFiles(path).remove()
    _ = try StoreFiles(empty).copy(to: path)
    try state.write(to: path)
    return path
  }

  /// What a merge makes of a store.
  func merged(
    _ store: String, _ other: String, base: String? = nil, _ policy: MergePolicy = .error,
    as name: String = "Merged"
  ) throws -> (path: String, summary: MergeSummary) {
    var options = MergeOptions()
    options.policy = policy
    options.editing.overwriting = true
    let path = directory.file("\(name).sqlite")
    let summary = try StoreMerger(options: options).merge(
      other, into: store, base: base, at: path)
    return (path, summary)
  }

  /// A base, and two states that come from it.
  static func states(seed: UInt64) -> (base: MergeState, store: MergeState, other: MergeState) {
    var random = SeededGenerator(seed: seed)
    var base = MergeState()
    base.change(12 + random.below(30), "b", &random)
    var (store, other) = (base, base)
    // Few changes seldom contradict each other, many nearly always.
    store.change(1 + random.below(seed % 3 == 0 ? 20 : 5), "s", &random)
    other.change(1 + random.below(seed % 3 == 0 ? 20 : 5), "o", &random)
    return (base, store, other)
  }

  func requireReference(seed: UInt64) throws {
    let (base, ours, theirs) = Self.states(seed: seed)
    let paths = (
      base: try store(base, "Base"), store: try store(ours, "Store"),
      other: try store(theirs, "Other")
    )
    let prefersOther = seed % 2 == 0
    let reference = ReferenceMerge(ours, theirs, base: base, prefersOther: prefersOther)
    let policy: MergePolicy =
      prefersOther ? .mergeByPropertyObjectTrump : .mergeByPropertyStoreTrump
    let (path, summary) = try merged(paths.store, paths.other, base: paths.base, policy)
    let result = try MergeState(readingFrom: path)
    let label: Comment = "seed \(seed), conflicts \(reference.conflicts.sorted())"
    #expect(result.content == reference.result.content, label)
    #expect(result.pairs == reference.result.pairs, label)
    let isOrderContested = requireOrder(
      result, ours, theirs, base, prefersOther: prefersOther, label)
    let isContested = !reference.conflicts.isEmpty || isOrderContested
    #expect((summary.conflicts.count > 0) == isContested, label)
    if isContested {
      let error = #expect(throws: CofferError.self, label) {
        try merged(paths.store, paths.other, base: paths.base, as: "Refused")
      }
      #expect(error?.code == .mergeConflicts, label)
      #expect(error?.mergeConflicts.count ?? 0 > 0, label)
      return
    }
    // Merged again, nothing changes.
    let again = try merged(path, paths.other, base: paths.base, as: "Again")
    #expect(again.summary.differences.isEqual, label)
    // The other way round, the content is the same.
    let back = try merged(paths.other, paths.store, base: paths.base, as: "Back")
    let mirrored = try MergeState(readingFrom: back.path)
    #expect(mirrored.content == result.content, label)
    #expect(mirrored.pairs == result.pairs, label)
  }

  /// Checks the order of notes that all states have in a folder.
  ///
  /// - Returns: whether both sides moved notes, in different ways.
  private func requireOrder(
    _ result: MergeState, _ ours: MergeState, _ theirs: MergeState, _ base: MergeState,
    prefersOther: Bool, _ label: Comment
  ) -> Bool {
    var isContested = false
    for (folder, list) in result.lists {
      let lists = [ours, theirs, base].map { $0.lists[folder] ?? [] }
      let common = Set(list).intersection(lists[0]).intersection(lists[1]).intersection(lists[2])
      let (now, store, other, old) = (
        list.filter { common.contains($0) }, lists[0].filter { common.contains($0) },
        lists[1].filter { common.contains($0) }, lists[2].filter { common.contains($0) }
      )
      if store == other || other == old {
        #expect(now == store, label)
      } else if store == old {
        #expect(now == other, label)
      } else {
        isContested = true
        #expect(now == (prefersOther ? other : store), label)
      }
    }
    return isContested
  }
}
