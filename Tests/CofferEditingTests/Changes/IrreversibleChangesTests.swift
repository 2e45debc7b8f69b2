internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Changes without old values: the commands that read, join and refuse them.
@Suite struct IrreversibleChangesTests {
  /// Three states of a store, and the changes between them with and without the values before.
  private struct Chain {
    let trial: ChangesTrial
    let first: String

    init(seed: UInt64 = 4) throws {
      trial = try ChangesTrial()
      first = try trial.generatedStore(seed: seed)
      let second = try trial.edited(first, seed: seed, 20, as: "Second")
      let third = try trial.edited(second, seed: seed &+ 99, 20, as: "Third")
      try trial.write(from: first, to: second, "A")
      try trial.write(from: second, to: third, "B")
      var options = ChangesOptions()
      options.isReversible = false
      for (name, before, after) in [("A-", first, second), ("B-", second, third)] {
        try StoreComparison().writeChanges(
          from: before, to: after, at: .file(trial.file(name)), writing: options)
      }
    }

    func changes(_ name: String) -> StoreChanges { StoreChanges(trial.file(name)) }

    func join(_ names: String..., as name: String) throws -> ChangesSummary {
      try StoreChanges.concatenate(
        names.map(trial.file), to: .file(trial.file(name), overwriting: true))
    }
  }

  @Test func theyAreNeitherAppliedNorReversed() throws {
    let chain = try Chain()
    let before = try Data(contentsOf: URL(fileURLWithPath: chain.first))
    let path = chain.trial.file("A-")
    var reversed = ApplyOptions()
    reversed.isReversed = true
    for options in [ApplyOptions(), reversed] {
      let error = #expect(throws: CofferError.self) {
        try ChangesApplier(options: options).apply(path, to: chain.first)
      }
      #expect(error?.code == .irreversibleChanges)
      #expect(error?.place.path == path)
      #expect(error?.advice.contains(.restoreOrCompare) == true)
    }
    let error = #expect(throws: CofferError.self) {
      try StoreChanges(path).reverse(to: .file(chain.trial.file("Back")))
    }
    #expect(error?.code == .irreversibleChanges)
    #expect(try Data(contentsOf: URL(fileURLWithPath: chain.first)) == before)
    #expect(!FileManager.default.fileExists(atPath: chain.trial.file("Back")))
  }

  @Test func theyCountWhatOtherChangesCount() throws {
    for seed in 1...6 {
      let chain = try Chain(seed: UInt64(seed))
      let (with, without) = (try chain.changes("A").inspect(), try chain.changes("A-").inspect())
      #expect(with.isReversible && !without.isReversible)
      // An object whose entity changes is deleted and inserted, or replaced.
      let (all, some) = (with.differences.objects, without.differences.objects)
      #expect(all.added - all.removed == some.added - some.removed, "seed \(seed)")
      #expect(all.added - some.added == some.changed - all.changed, "seed \(seed)")
      #expect(with.differences.relationships == without.differences.relationships)
      #expect(with.differences.externalData == without.differences.externalData)
      #expect(with.contentDigestAfter == without.contentDigestAfter)
      let verified = try chain.changes("A-").verify()
      #expect(verified.objectCount == some.total)
      // No value before is in the file.
      let archive = try ArchiveRewriter(chain.trial.file("A-"))
      let lines = archive.entries.filter { $0.name.hasSuffix(".ndjson") }.map(\.text).joined()
      #expect(!lines.contains("\"$change\":\"update\""))
      #expect(!archive.entries.contains { $0.name.hasPrefix("before/") })
    }
  }

  @Test func newValuesAreShownWithoutTheOldOnes() throws {
    let trial = try ChangesTrial()
    let first = try trial.generatedStore(seed: 2)
    let second = try StoreFiles(first).copy(to: trial.directory.file("Second.sqlite"))
    let database = try GeneratorDatabase(path: second)
    try database.registerCoreDataFunctions()
    try database.run("UPDATE ZTAGENTITY SET ZNAME = 'changed' WHERE Z_PK = 2")
    var options = ChangesOptions()
    options.isReversible = false
    try StoreComparison().writeChanges(
      from: first, to: second, at: .file(trial.file("A-")), writing: options)
    var shown: [ObjectDifference] = []
    try StoreChanges(trial.file("A-")).show("TagEntity") { shown.append($0) }
    #expect(shown.map(\.objectID.primaryKey) == [2])
    let name = shown.first?.properties.first { $0.name == "name" }
    #expect(name?.newValue == "\"changed\"")
    #expect(name?.oldValue == nil)
  }

  @Test func anEntityHasOneCount() throws {
    let trial = try ChangesTrial()
    let first = try trial.generatedStore(seed: 2)
    let second = try StoreFiles(first).copy(to: trial.directory.file("Second.sqlite"))
    let database = try GeneratorDatabase(path: second)
    try database.registerCoreDataFunctions()
    try database.run(
      "UPDATE ZTAGENTITY SET Z_OPT = 9; UPDATE ZTAGENTITY SET Z_ENT = 99 WHERE Z_PK = 2")
    let tags = try trial.write(from: first, to: second, "A").differences.entities
    #expect(tags.map(\.entityName) == ["TagEntity"])
    #expect(tags.map { $0.counts.changed > 1 } == [true])
  }

  @Test func joinedTheyAreWhatBothAre() throws {
    for seed in 1...5 {
      let chain = try Chain(seed: UInt64(seed))
      let both = try chain.join("A", "B", as: "Both")
      #expect(both.isReversible)
      for names in [("A-", "B-"), ("A", "B-"), ("A-", "B")] {
        let summary = try chain.join(names.0, names.1, as: "Joined")
        #expect(!summary.isReversible)
        #expect(summary.contentDigestBefore == both.contentDigestBefore)
        #expect(summary.contentDigestAfter == both.contentDigestAfter)
        // A row that got its old values back counts as changed, because its old values are unknown.
        let (some, all) = (summary.differences.objects, both.differences.objects)
        #expect(some.added == all.added, "seed \(seed), \(names)")
        #expect(some.removed == all.removed, "seed \(seed), \(names)")
        #expect(some.changed >= all.changed, "seed \(seed), \(names)")
        try chain.changes("Joined").verify()
      }
      let error = #expect(throws: CofferError.self) { try chain.join("B-", "A-", as: "Wrong") }
      #expect(error?.code == .wrongState)
    }
  }

  /// What only one kind of file may have is damage in the other.
  @Test func eachKindHasItsOwnLinesAndMembers() throws {
    let chain = try Chain(seed: 2)
    func requireDamaged(
      _ name: String, _ label: String, _ change: (inout ArchiveRewriter) throws -> Void
    ) throws {
      var archive = try ArchiveRewriter(chain.trial.file(name))
      try change(&archive)
      let damaged = chain.trial.file("Damaged")
      try archive.write(to: damaged)
      let error = #expect(throws: CofferError.self, "\(label)") {
        try StoreChanges(damaged).verify()
      }
      #expect(error?.code == .damagedArchive, "\(label)")
    }
    func setState(_ archive: inout ArchiveRewriter, _ members: String) throws {
      let position = try archive.position(of: "changes.json")
      let text = archive.entries[position].text
      guard let end = text.lastIndex(of: "}") else { return }
      archive.entries[position].text = text[..<end] + ", \(members)}"
    }
    try requireDamaged("A", "a replacement with the values before") {
      let position = try #require(
        $0.entries.firstIndex { $0.text.contains(#""$change":"insert""#) })
      $0.entries[position].text.replace(#""$change":"insert""#, with: #""$change":"replace""#)
    }
    for members in [
      #""removed": ["external/x"]"#, #""whole": ["changes/TagEntity"]"#,
      #""elsewhere": [{"name": "external/x", "size": 1, "sha256": "\#(String(repeating: "0", count: 64))"}]"#,
    ] {
      try requireDamaged("A", members) { try setState(&$0, members) }
    }
    for members in [
      #""removed": ["../x"]"#, #""removed": ["external/x", "external/x"]"#,
      #""whole": ["changes/Nothing"]"#, #""elsewhere": [{"name": "x", "size": 1}]"#,
      #""elsewhere": [{"name": "external/x", "size": -1, "sha256": "00"}]"#,
    ] {
      try requireDamaged("A-", members) {
        let position = try $0.position(of: "changes.json")
        $0.entries[position].text.replace("\"removed\"", with: "\"unknown\"")
        try setState(&$0, members)
      }
    }
  }
}
