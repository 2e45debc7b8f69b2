internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// What each policy makes of each kind of conflict.
@Suite struct MergePolicyTests {
  /// A base with two notes in a folder and a tag, and two copies of it that a closure changes.
  static func paths(
    _ trial: MergeTrial, _ change: (inout MergeState, inout MergeState) -> Void
  ) throws -> (base: String, store: String, other: String) {
    var base = MergeState()
    base.add("f", "Folder")
    for note in ["n", "m"] {
      base.add(note, "Note")
      base.items[note]?.values["text"] = .string("a")
      base.move(note, to: "f")
    }
    base.add("t", "Tag")
    var (store, other) = (base, base)
    change(&store, &other)
    return (
      try trial.store(base, "Base"), try trial.store(store, "Store"),
      try trial.store(other, "Other")
    )
  }

  /// The conflicts of a merge, and the state after it; nil if nothing was written.
  func outcome(
    _ policy: MergePolicy, withBase: Bool = true,
    _ change: (inout MergeState, inout MergeState) -> Void
  ) throws -> (conflicts: [String], state: MergeState?) {
    let trial = try MergeTrial()
    let paths = try Self.paths(trial, change)
    do {
      let (path, summary) = try trial.merged(
        paths.store, paths.other, base: withBase ? paths.base : nil, policy)
      return (summary.conflicts.list.map(\.description), try MergeState(readingFrom: path))
    } catch let error as CofferError where error.code == .mergeConflicts {
      return (error.mergeConflicts.list.map(\.description), nil)
    }
  }

  @Test(arguments: MergePolicy.allCases) func aPropertyWithTwoValues(_ policy: MergePolicy) throws {
    let (conflicts, state) = try outcome(policy) { store, other in
      store.items["n"]?.values["text"] = .string("s")
      store.items["n"]?.links["related"] = "m"
      other.items["n"]?.values["text"] = .string("o")
      other.items["n"]?.values["count"] = .integer(2)
    }
    #expect(conflicts == ["Note/p1.text: the stores have different values"])
    let note = state?.items["n"]
    let text: String? =
      if case .text(let bytes)? = note?.values["text"] {
        String(decoding: bytes, as: UTF8.self)
      } else {
        nil
      }
    let found = [text, note?.values["count"] == nil ? nil : "count", note?.links["related"]]
    let expected: [String?] =
      switch policy {
      case .error: [nil, nil, nil]
      case .mergeByPropertyStoreTrump: ["s", "count", "m"]
      case .mergeByPropertyObjectTrump: ["o", "count", "m"]
      case .overwrite: ["o", "count", nil]
      case .rollback: ["s", nil, "m"]
      }
    #expect(found == expected)
  }

  @Test(arguments: MergePolicy.allCases) func anObjectThatTheOtherStoreDeleted(
    _ policy: MergePolicy
  ) throws {
    let (conflicts, state) = try outcome(policy) { store, other in
      store.items["n"]?.values["text"] = .string("s")
      other.delete("n")
    }
    #expect(conflicts == ["Note/p1: the other store deleted it, and this one uses it"])
    switch policy {
    case .error: #expect(state == nil)
    case .mergeByPropertyStoreTrump, .rollback: #expect(state?.items["n"] != nil)
    case .mergeByPropertyObjectTrump, .overwrite: #expect(state?.items["n"] == nil)
    }
  }

  @Test(arguments: MergePolicy.allCases) func anObjectThatTheStoreDeleted(
    _ policy: MergePolicy
  ) throws {
    let (conflicts, state) = try outcome(policy) { store, other in
      store.delete("n")
      other.items["n"]?.values["text"] = .string("o")
    }
    #expect(conflicts == ["Note/p1: this store deleted it, and the other one uses it"])
    switch policy {
    case .error: #expect(state == nil)
    case .mergeByPropertyStoreTrump, .rollback: #expect(state?.items["n"] == nil)
    case .mergeByPropertyObjectTrump, .overwrite:
      // Keys are never used again: the history knows the old one as deleted.
      #expect(state?.items["n"]?.key == 3)
      #expect(state?.lists["f"] == ["n", "m"])
    }
  }

  @Test(arguments: MergePolicy.allCases) func aCascadeThatTakesAChangedObject(
    _ policy: MergePolicy
  ) throws {
    let (conflicts, state) = try outcome(policy) { store, other in
      store.add("new", "Note")
      store.move("new", to: "f")
      other.delete("f")
    }
    // New objects in a folder change the folder. If it is still deleted, so are they.
    let changed = "Folder/p1: the other store deleted it, and this one uses it"
    switch policy {
    case .error:
      #expect(state == nil)
      #expect(conflicts == [changed])
    case .mergeByPropertyStoreTrump, .rollback:
      #expect(state?.lists["f"]?.contains("new") == true)
      #expect(conflicts == [changed])
    case .mergeByPropertyObjectTrump, .overwrite:
      #expect(state?.items["new"] == nil)
      #expect(
        conflicts == [
          changed, "Note/p3: a deletion would also delete it, but it was added since",
        ])
    }
  }

  @Test(arguments: MergePolicy.allCases) func anOrderThatBothChanged(_ policy: MergePolicy) throws {
    let (conflicts, state) = try outcome(policy, withBase: false) { store, other in
      store.lists["f"] = ["n", "m"]
      other.lists["f"] = ["m", "n"]
    }
    #expect(conflicts == ["Folder/p1.notes: both stores moved the destinations"])
    switch policy {
    case .error: #expect(state == nil)
    case .mergeByPropertyStoreTrump, .rollback: #expect(state?.lists["f"] == ["n", "m"])
    case .mergeByPropertyObjectTrump, .overwrite: #expect(state?.lists["f"] == ["m", "n"])
    }
  }

  @Test func withoutABaseNothingIsDeleted() throws {
    let (conflicts, state) = try outcome(.error, withBase: false) { store, other in
      other.delete("n")
      other.add("new", "Note")
      other.move("new", to: "f")
      store.pairs.insert(["m", "t"])
    }
    #expect(conflicts == [])
    #expect(state?.lists["f"] == ["n", "m", "new"])
    #expect(state?.pairs == [["m", "t"]])
  }
}
