internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Merges of random states, compared with a merge in memory that shares no code with the product.
@Suite struct RandomMergeTests {
  static let seeds = (0..<Effort.tries(24)).map { Effort.seed() + UInt64($0) }

  @Test func mergesAreThoseOfTheReference() throws {
    let trial = try MergeTrial()
    for seed in Self.seeds {
      do {
        try trial.requireReference(seed: seed)
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

  init(model: String = MergeModel.text) throws {
    directory = try TemporaryDirectory()
    empty = try MergeState.createEmptyStore(in: directory, model)
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

  /// Checks the merge of two states in both directions, with every policy that decides property by
  /// property.
  func requireReference(seed: UInt64) throws {
    let (base, ours, theirs) = MergeState.random(seed: seed)
    let paths = (
      base: try store(base, "Base"), store: try store(ours, "Store"),
      other: try store(theirs, "Other")
    )
    let prefersOther = seed % 2 == 0
    let (winner, loser) = prefersOther ? (theirs, ours) : (ours, theirs)
    let reference = ReferenceMerge(winner: winner, loser: loser, base: base)
    let label: Comment = "seed \(seed), conflicts \(reference.conflicts.sorted())"
    let policies: [MergePolicy] = [.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump]
    let (policy, opposite) = prefersOther ? (policies[1], policies[0]) : (policies[0], policies[1])
    guard !reference.isOpen else {
      let error = #expect(throws: CofferError.self, label) {
        try merged(paths.store, paths.other, base: paths.base, policy)
      }
      #expect(error?.code == .mergeConflicts, label)
      return
    }
    let (path, summary) = try merged(paths.store, paths.other, base: paths.base, policy)
    #expect(summary.findings == [], label)
    let result = try MergeState(readingFrom: path)
    requireSame(result, reference.result, label)
    let isOrderContested = requireOrder(
      result, winner, loser, base, isContested: !reference.conflicts.isEmpty, label)
    let isContested = !reference.conflicts.isEmpty || isOrderContested
    #expect((summary.conflicts.count > 0) == isContested, label)
    // The other way round, with the other policy, the content is the same.
    let back = try merged(
      paths.other, paths.store, base: paths.base, isContested ? opposite : .error, as: "Back")
    #expect((back.summary.conflicts.count > 0) == isContested, "\(label), back")
    requireSame(try MergeState(readingFrom: back.path), reference.result, "\(label), back")
    if isContested {
      let error = #expect(throws: CofferError.self, label) {
        try merged(paths.store, paths.other, base: paths.base, as: "Refused")
      }
      #expect(error?.code == .mergeConflicts, label)
      #expect(error?.mergeConflicts.count ?? 0 > 0, label)
    } else {
      // Merged again, nothing changes.
      let again = try merged(path, paths.other, base: paths.base, as: "Again")
      #expect(again.summary.differences.isEqual, label)
    }
  }

  private func requireSame(_ found: MergeState, _ expected: MergeState, _ label: Comment) {
    let (one, other) = (found.content, expected.content)
    for uid in Set(one.keys).union(other.keys).sorted() where one[uid] != other[uid] {
      let texts = [one[uid], other[uid]].map { $0.map { "\($0)" } ?? "nothing" }
      Issue.record("\(uid) is \(texts[0]) instead of \(texts[1]); \(label)")
    }
    #expect(found.pairs == expected.pairs, label)
  }

  /// Checks the order of notes that all states have in a folder.
  ///
  /// - Returns: whether both sides moved notes, in different ways.
  private func requireOrder(
    _ result: MergeState, _ winner: MergeState, _ loser: MergeState, _ base: MergeState,
    isContested: Bool, _ label: Comment
  ) -> Bool {
    var isOrderContested = false
    for (folder, list) in result.lists {
      let (first, second) = (winner.lists[folder] ?? [], loser.lists[folder] ?? [])
      let common = Set(list).intersection(first).intersection(second)
      func shared(_ list: [String]) -> [String] { list.filter { common.contains($0) } }
      func isMoved(_ list: [String]) -> Bool {
        guard let old = base.lists[folder] else { return true }
        return list.filter { old.contains($0) } != old.filter { list.contains($0) }
      }
      let (one, other) = (shared(first), shared(second))
      if one != other, isMoved(one), isMoved(other) { isOrderContested = true }
      // What is new may come anywhere.
      let known = shared(list).filter { base.lists[folder]?.contains($0) ?? true }
      let takesSecond = isMoved(other) && !isMoved(one)
      let expected = (takesSecond ? other : one).filter { known.contains($0) }
      #expect(known == expected, label)
    }
    return isOrderContested
  }
}
