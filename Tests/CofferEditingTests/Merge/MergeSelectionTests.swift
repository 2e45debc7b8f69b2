internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import Testing

/// Merges of some objects of another store.
@Suite struct MergeSelectionTests {
  /// Two folders, three notes in the first one, a note in no folder, and tags of two notes.
  private static var state: MergeState {
    var state = MergeState()
    for folder in ["f", "g"] { state.add(folder, "Folder") }
    for note in ["a", "b", "c", "d"] {
      state.add(note, "Note")
      state.items[note]?.values["text"] = .string("old")
    }
    for note in ["a", "b", "c"] { state.move(note, to: "f") }
    state.add("t", "Tag")
    state.pairs = [["a", "t"], ["d", "t"]]
    return state
  }

  private func merge(
    _ store: MergeState, _ other: MergeState, base: MergeState? = nil,
    _ selection: ObjectSelection, model: String = MergeModel.text,
    _ set: (inout MergeOptions) -> Void = { _ in }
  ) throws -> (state: MergeState, summary: MergeSummary) {
    let trial = try MergeTrial(model: model)
    var options = MergeOptions()
    options.selection = selection
    set(&options)
    let path = try trial.store(store, "Store")
    let summary = try StoreMerger(options: options).merge(
      trial.store(other, "Other"), into: path, base: base.map { try trial.store($0, "Base") })
    return (try MergeState(readingFrom: path), summary)
  }

  private static let notes = ObjectSelection(
    entityNames: ["Note"], condition: "uid IN {'a', 'b'}")

  @Test func deletedNotesComeBackToTheirPlaces() throws {
    var store = Self.state
    for note in ["a", "b"] { store.delete(note) }
    store.items["c"]?.values["text"] = .string("new")
    store.delete("d")
    let (state, summary) = try merge(store, Self.state, Self.notes) { $0.matchesByObjectID = true }
    var expected = store
    for note in ["a", "b"] { expected.items[note] = Self.state.items[note] }
    expected.pairs.insert(["a", "t"])
    expected.lists["f"] = ["a", "b", "c"]
    #expect(state.content == expected.content)
    #expect(state.pairs == expected.pairs)
    #expect(state.lists == expected.lists)
    // They are the same objects, so a second run finds them.
    #expect([state.items["a"]?.key, state.items["b"]?.key] == [1, 2])
    let (again, _) = try merge(state, Self.state, Self.notes) { $0.matchesByObjectID = true }
    #expect(again.content == state.content)
    #expect(again.lists == state.lists)
    #expect(summary.selection?.selectedCount == 2)
    #expect(summary.selection?.neededCount == 0)
    #expect(summary.selection?.omittedCount == 5)
    #expect(summary.conflicts.count == 0)
  }

  @Test func whatIsNotSelectedStaysAsItIs() throws {
    var store = Self.state
    store.items["c"]?.values["text"] = .string("ours")
    store.lists["f"] = ["c", "b", "a"]
    var other = Self.state
    other.delete("d")
    other.items["c"]?.values["text"] = .string("theirs")
    other.items["a"]?.values["text"] = .string("theirs")
    other.add("e", "Note")
    let (state, summary) = try merge(store, other, base: Self.state, Self.notes)
    store.items["a"]?.values["text"] = .string("theirs")
    #expect(state.content == store.content)
    #expect(state.pairs == store.pairs)
    #expect(state.lists == store.lists)
    #expect(summary.conflicts.count == 0)
  }

  @Test func aRelationshipToWhatIsNowhereIsNotTaken() throws {
    var store = Self.state
    store.delete("f")
    store.delete("t")
    let (state, summary) = try merge(store, Self.state, Self.notes)
    #expect(state.items["a"]?.values["text"] == .string("old"))
    #expect(state.items["a"]?.links == [:])
    #expect(state.pairs == [])
    #expect(state.items["f"] == nil)
    #expect(summary.selection?.unsetCount == 3)
  }

  @Test func whatANewObjectNeedsComesAlong() throws {
    let model = MergeModel.text.replacing(
      "<relationship name=\"folder\" optional=\"YES\"", with: "<relationship name=\"folder\"")
    var store = Self.state
    store.delete("f")
    let (state, summary) = try merge(store, Self.state, Self.notes, model: model)
    #expect(state.lists["f"] == ["a", "b"])
    #expect(state.items["c"] == nil)
    #expect(summary.selection?.neededCount == 1)
  }

  /// The folder exists, so only the selected notes are added.
  @Test func whatTheStoreHasNeedsNothing() throws {
    let model = MergeModel.text.replacing(
      "<relationship name=\"notes\" optional=\"YES\" toMany=\"YES\" ordered",
      with: "<relationship name=\"notes\" toMany=\"YES\" ordered"
    ).replacing(
      "<relationship name=\"folder\" optional=\"YES\"", with: "<relationship name=\"folder\"")
    var store = Self.state
    for note in ["a", "b"] { store.delete(note) }
    store.items["f"]?.values["name"] = .string("new")
    let selection = ObjectSelection(entityNames: ["Note"], condition: "uid == 'a'")
    let (state, summary) = try merge(store, Self.state, selection, model: model)
    #expect(state.lists["f"] == ["a", "c"])
    #expect(state.items["f"]?.values["name"] == .string("new"))
    #expect(summary.selection?.neededCount == 0)
  }

  @Test func theSelectedObjectsCanContradict() throws {
    var store = Self.state
    store.items["a"]?.values["text"] = .string("ours")
    store.items["c"]?.values["text"] = .string("ours")
    let error = #expect(throws: CofferError.self) {
      try merge(store, Self.state, Self.notes)
    }
    #expect(error?.mergeConflicts.list.map(\.objectID.description) == ["Note/p1"])
    let (state, _) = try merge(store, Self.state, Self.notes) {
      $0.policy = .mergeByPropertyObjectTrump
    }
    #expect(state.items["a"]?.values["text"] == .string("old"))
    #expect(state.items["c"]?.values["text"] == .string("ours"))
  }

  @Test(arguments: [
    (ObjectSelection(entityNames: ["Nothing"]), CofferError.Code.noSuchEntity),
    (ObjectSelection(entityNames: ["Note"], condition: "size > 1"), .noSuchProperty),
    (ObjectSelection(entityNames: ["Note"], condition: "text =="), .invalidCondition),
    (ObjectSelection(entityNames: ["Note", "Tag"], condition: "uid == 'a'"), .incompatibleChoices),
  ])
  func aSelectionThatMeansNothingIsRefused(
    _ selection: ObjectSelection, _ code: CofferError.Code
  ) throws {
    let error = #expect(throws: CofferError.self) {
      try merge(Self.state, Self.state, selection)
    }
    #expect(error?.code == code)
  }
}
