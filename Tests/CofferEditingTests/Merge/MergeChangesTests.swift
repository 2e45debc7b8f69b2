internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Files of changes as the other store of a merge, and as its base.
@Suite struct MergeChangesTests {
  private struct Result: Equatable {
    var content: [String: MergeState.Item]
    var pairs: Set<[String]>
    var lists: [String: [String]]
    var conflicts: [String]
  }

  private struct Trial {
    let trial: MergeTrial
    let base: String
    let store: String
    let other: String
    let changes: String

    init(_ base: MergeState, _ store: MergeState, _ other: MergeState) throws {
      trial = try MergeTrial()
      self.base = try trial.store(base, "Base")
      self.store = try trial.store(store, "Store")
      self.other = try trial.store(other, "Other")
      changes = trial.directory.file("Day.coffer-changes.tar.gz")
      try StoreComparison().writeChanges(from: self.base, to: self.other, at: .file(changes))
    }

    func merged(_ other: String, base: String?, _ policy: MergePolicy) throws -> Result {
      let (path, summary) = try trial.merged(store, other, base: base, policy)
      let state = try MergeState(readingFrom: path)
      return Result(
        content: state.content, pairs: state.pairs, lists: state.lists,
        conflicts: summary.conflicts.list.map(\.description).sorted())
    }
  }

  /// One note in a folder, and a tag.
  private static var base: MergeState {
    var state = MergeState()
    state.add("f", "Folder")
    state.add("n", "Note")
    state.items["n"]?.values["text"] = .string("a")
    state.items["n"]?.values["count"] = .integer(1)
    state.move("n", to: "f")
    state.add("t", "Tag")
    return state
  }

  @Test(arguments: 0..<8)
  func changesMergeAsTheStoresThatTheyComeFrom(_ seed: Int) throws {
    let (base, store, other) = MergeState.random(seed: UInt64(seed))
    let trial = try Trial(base, store, other)
    let policy =
      seed.isMultiple(of: 2)
      ? MergePolicy.mergeByPropertyStoreTrump : .mergeByPropertyObjectTrump
    let expected: Result
    do {
      expected = try trial.merged(trial.other, base: trial.base, policy)
    } catch let error as CofferError where error.code == .mergeConflicts {
      for (other, base) in [
        (trial.changes, trial.base), (trial.other, trial.changes),
      ] {
        let same = #expect(throws: CofferError.self) {
          try trial.merged(other, base: base, policy)
        }
        #expect(same?.mergeConflicts == error.mergeConflicts)
      }
      return
    }
    #expect(try trial.merged(trial.changes, base: trial.base, policy) == expected)
    #expect(try trial.merged(trial.other, base: trial.changes, policy) == expected)
    do {
      let recalled = try trial.merged(trial.changes, base: nil, policy)
      #expect(recalled.content == expected.content)
      #expect(recalled.pairs == expected.pairs)
      #expect(recalled.conflicts == expected.conflicts)
      // Objects that come back get their positions among the neighbors in the changes.
      #expect(recalled.lists.mapValues(Set.init) == expected.lists.mapValues(Set.init))
    } catch let error as CofferError where error.code == .wrongState {
      #expect(policy == .mergeByPropertyObjectTrump)
      #expect(error.detail.contains("only some of its values"))
    }
  }

  @Test func whatTheStoreChangedDifferentlyIsAConflict() throws {
    var (store, other) = (Self.base, Self.base)
    store.items["n"]?.values["text"] = .string("s")
    store.items["n"]?.values["count"] = .integer(2)
    other.items["n"]?.values["text"] = .string("o")
    other.items["t"]?.values["name"] = .string("o")
    let trial = try Trial(Self.base, store, other)
    let error = #expect(throws: CofferError.self) {
      try trial.merged(trial.changes, base: nil, .error)
    }
    #expect(
      error?.mergeConflicts.list.map(\.description) == [
        "Note/p1.text: the stores have different values"
      ])
    let result = try trial.merged(trial.changes, base: nil, .mergeByPropertyObjectTrump)
    store.items["n"]?.values["text"] = .string("o")
    store.items["t"]?.values["name"] = .string("o")
    #expect(result.content == store.content)
  }

  /// The key of a position means nothing in the list of another object.
  @Test func positionsInAListThatTheObjectLeftDoNotCount() throws {
    var base = MergeState()
    for folder in ["f", "g"] { base.add(folder, "Folder") }
    for note in ["a", "b"] {
      base.add(note, "Note")
      base.move(note, to: "f")
    }
    for note in ["c", "d", "e"] {
      base.add(note, "Note")
      base.move(note, to: "g")
    }
    var (store, other) = (base, base)
    store.move("b", to: "g")
    other.lists["f"] = ["b", "a"]
    let trial = try Trial(base, store, other)
    for (source, base) in [
      (trial.other, trial.base), (trial.changes, trial.base), (trial.changes, nil),
    ] {
      let result = try trial.merged(source, base: base, .error)
      #expect(result.lists == ["f": ["a"], "g": ["c", "d", "e", "b"]])
    }
    // As far as the object is still in its list, they do.
    let still = try Trial(base, base, other)
    #expect(try still.merged(still.changes, base: nil, .error).lists["f"] == ["b", "a"])
  }

  @Test func anObjectThatIsThereOnlyInPartDoesNotComeBack() throws {
    var (store, other) = (Self.base, Self.base)
    store.delete("n")
    other.items["n"]?.values["text"] = .string("o")
    let trial = try Trial(Self.base, store, other)
    let error = #expect(throws: CofferError.self) {
      try trial.merged(trial.changes, base: nil, .overwrite)
    }
    #expect(error?.code == .wrongState)
    #expect(error?.place.item == "Note/p1")
    let result = try trial.merged(trial.changes, base: trial.base, .overwrite)
    #expect(result.content["n"]?.values["text"] == .string("o"))
  }

  @Test func changesOfAnotherStoreAreRefused() throws {
    let trial = try Trial(Self.base, Self.base, Self.base)
    let another = try Trial(Self.base, Self.base, Self.base)
    let error = #expect(throws: CofferError.self) {
      try trial.merged(another.changes, base: nil, .error)
    }
    #expect(error?.code == .wrongState)
  }

  @Test func twoFilesOfChangesAreNoState() throws {
    let trial = try Trial(Self.base, Self.base, Self.base)
    let error = #expect(throws: CofferError.self) {
      try trial.merged(trial.changes, base: trial.changes, .error)
    }
    #expect(error?.code == .incompatibleChoices)
  }

  @Test func changesAreTakenBackFromAStoreThatHasMovedOn() throws {
    var (other, store) = (Self.base, Self.base)
    other.items["n"]?.values["text"] = .string("o")
    other.add("new", "Tag")
    store = other
    store.items["n"]?.values["count"] = .integer(9)
    let trial = try Trial(Self.base, store, other)
    let back = trial.trial.directory.file("Back.coffer-changes.tar.gz")
    try StoreChanges(trial.changes).reverse(to: .file(back))
    let result = try trial.merged(back, base: nil, .error)
    store.items["n"]?.values["text"] = .string("a")
    store.delete("new")
    #expect(result.content == store.content)
  }

  /// They would be merged as new ones, with other keys, and everything that leads to them would not be.
  @Test func changesThatBringObjectsBackAreRefused() throws {
    var other = Self.base
    other.delete("n")
    let trial = try Trial(Self.base, other, other)
    let back = trial.trial.directory.file("Back.coffer-changes.tar.gz")
    try StoreChanges(trial.changes).reverse(to: .file(back))
    let error = #expect(throws: CofferError.self) {
      try trial.merged(back, base: nil, .error)
    }
    #expect(error?.code == .wrongState)
    #expect(error?.place.item == "Note/p1")
  }

  @Test func changesThatDoNotFitTheirStateAreNamed() throws {
    var other = Self.base
    other.items["n"]?.values["text"] = .string("o")
    let trial = try Trial(Self.base, Self.base, other)
    let archive = trial.trial.directory.file("Other.coffer.tar.gz")
    try StoreExporter().export(storeAt: trial.other, to: archive)
    let error = #expect(throws: CofferError.self) {
      try trial.merged(trial.changes, base: archive, .error)
    }
    #expect(error?.code == .wrongState)
    #expect(error?.place.path == archive)
  }
}
