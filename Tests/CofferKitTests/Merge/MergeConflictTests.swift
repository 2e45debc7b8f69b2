internal import CofferKit
internal import TestSupport
internal import Testing

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
}
