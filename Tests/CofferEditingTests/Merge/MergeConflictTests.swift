internal import CofferComparison
internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

@testable internal import CofferCore
@testable internal import CofferEditing

/// What a merge shows of conflicts.
@Suite struct MergeConflictTests {
  private let samples: SampleSources

  init() throws { samples = try SampleSources() }

  @Test func aConflictShowsWhatEachSideHas() throws {
    let store = try samples.copy(
      named: "Ours", changing: ["UPDATE ZTAGENTITY SET ZNAME = 'ours' WHERE Z_PK = 1"])
    let other = try samples.copy(
      named: "Theirs", changing: ["UPDATE ZTAGENTITY SET ZNAME = 'theirs' WHERE Z_PK = 1"])
    let error = #expect(throws: CofferError.self) {
      try StoreMerger().merge(other, into: store, base: samples.sample)
    }
    let conflict = try #require(error?.mergeConflicts.list.first)
    #expect(conflict.title == "ours")
    #expect(conflict.values?.ours == "\"ours\"")
    #expect(conflict.values?.theirs == "\"theirs\"")
    #expect(conflict.values?.base == "\"home\"")
  }

  @Test func aPreviewShowsTheRestBesideTheConflicts() throws {
    let store = try samples.copy(
      named: "Ours", changing: ["UPDATE ZTAGENTITY SET ZNAME = 'ours' WHERE Z_PK = 1"])
    let other = try samples.copy(
      named: "Theirs",
      changing: [
        "UPDATE ZTAGENTITY SET ZNAME = 'theirs' WHERE Z_PK = 1",
        "UPDATE ZTAGENTITY SET ZNAME = 'another' WHERE Z_PK = 2",
      ])
    var found: [String] = []
    let summary = try StoreMerger().preview(other, into: store, base: samples.sample) {
      if case .object(let object) = $0 { found.append("\(object.objectID)") }
    }
    #expect(summary.openConflicts.list.map(\.propertyName) == ["name"])
    #expect(found == ["TagEntity/p2"])
  }

  /// The first conflict of a kind in a merge.
  private func conflict(
    _ kind: MergeConflict.Kind, withBase: Bool = true,
    _ change: (inout MergeState, inout MergeState) -> Void
  ) throws -> MergeConflict {
    let trial = try MergeTrial()
    let paths = try MergePolicyTests.paths(trial, change)
    let summary = try StoreMerger().preview(
      paths.other, into: paths.store, base: withBase ? paths.base : nil)
    return try #require(summary.conflicts.list.first { $0.kind == kind })
  }

  @Test func aDeletionAndAChangeShowWhatWasChanged() throws {
    let here = try conflict(.changedHere) { store, other in
      store.items["n"]?.values["text"] = .string("s")
      store.items["n"]?.links["related"] = "m"
      other.delete("n")
    }
    #expect(here.title == "s")
    #expect(
      here.values
        == .init(
          hasBase: true, base: #"{"related":null,"text":"a"}"#,
          ours: #"{"related":"Note/p2 \"a\"","text":"s"}"#))
    let there = try conflict(.deletedHere) { store, other in
      store.delete("n")
      other.items["n"]?.values["text"] = .string("o")
    }
    #expect(there.title == "o")
    #expect(
      there.values == .init(hasBase: true, base: #"{"text":"a"}"#, theirs: #"{"text":"o"}"#))
  }

  @Test func aDeletionOfWhatIsUsedShowsWhatLeadsThere() throws {
    let used = try conflict(.changedHere) { store, other in
      store.items["m"]?.links["related"] = "n"
      other.delete("n")
    }
    #expect(
      used.values
        == .init(
          hasBase: true, base: #"Note/p1 "a""#,
          ours: #"Note/p1 "a", to which Note/p2 "a" leads (related)"#))
    let missing = try conflict(.missingDestination) { store, other in
      store.delete("t")
      other.pairs.insert(["n", "t"])
    }
    #expect(
      missing.values == .init(hasBase: true, base: #"Tag/p1 "t""#, theirs: #"Tag/p1 "t""#))
  }

  @Test func aCascadeShowsWhatItDeletes() throws {
    let found = try conflict(.cascade) { store, other in
      store.delete("f")
      other.add("new", "Note")
      other.move("new", to: "f")
    }
    #expect(found.values == .init(hasBase: true, theirs: #"Note/p3 "new""#))
  }

  @Test func aDenialShowsTheDestinations() throws {
    let trial = try MergeTrial()
    var base = MergeState()
    base.add("f", "Folder")
    base.add("s", "Shelf")
    var (store, other) = (base, base)
    store.link("f", "shelf", to: "s")
    other.delete("s")
    let error = try #require(throws: CofferError.self) {
      try trial.merged(
        trial.store(store, "Store"), trial.store(other, "Other"), base: trial.store(base, "Base"),
        .mergeByPropertyObjectTrump)
    }
    let found = error.mergeConflicts.list.first { $0.kind == .denied }
    #expect(found?.propertyName == "folders")
    #expect(found?.title == "s")
    #expect(found?.values == .init(hasBase: true, ours: #"Folder/p1 "f""#))
  }

  @Test func anOrderShowsTheMembersOfBothStores() throws {
    let found = try conflict(.order, withBase: false) { store, other in
      store.items["n"]?.values["text"] = .string("b")
      other.items["n"]?.values["text"] = .string("b")
      other.lists["f"] = ["m", "n"]
    }
    #expect(found.title == "f")
    #expect(
      found.values
        == .init(
          ours: #"Note/p1 "b", Note/p2 "a""#, theirs: #"Note/p2 "a", Note/p1 "b""#))
  }

  @Test func aValueThatMustBeUniqueIsShown() throws {
    let found = try conflict(.uniqueness) { store, other in
      store.items["t"]?.values["code"] = .integer(5)
      store.add("u", "Tag")
      other.add("v", "Tag")
      other.items["v"]?.values["code"] = .integer(5)
    }
    #expect(found.values == .init(hasBase: true, theirs: "5", holder: #"Tag/p1 "t""#))
  }

  /// The text of a conflict reads other rows of the same table.
  @Test func whatIsShownDoesNotChangeWhatIsMerged() throws {
    let trial = try MergeTrial()
    let paths = try MergePolicyTests.paths(trial) { store, other in
      store.items["n"]?.links["related"] = "m"
      store.items["n"]?.values["count"] = .integer(1)
      store.items["m"]?.values["count"] = .integer(2)
      other.items["n"]?.links["related"] = "n"
      other.items["n"]?.values["count"] = .integer(2)
    }
    let merged = try trial.merged(paths.store, paths.other, base: paths.base, .overwrite).path
    #expect(try MergeState(readingFrom: merged).items["n"]?.values["count"] == .integer(2))
  }
}
