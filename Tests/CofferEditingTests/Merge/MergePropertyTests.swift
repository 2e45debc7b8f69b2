internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Three-way merges of every kind of property that a store can hold.
@Suite struct MergePropertyTests {
  /// What a merge of two copies of the sample store came to.
  private struct Outcome {
    let path: String
    let summary: MergeSummary
    let store: String
    let other: String

    var conflicts: [String] { summary.conflicts.list.map(\.description) }

    func rows(_ query: String) throws -> [[StoreValue]] {
      try GeneratorDatabase(path: path).rows(query)
    }
  }

  private let samples: SampleSources

  init() throws { samples = try SampleSources() }

  /// Merges two copies that statements changed, with the sample store as base.
  private func merge(
    _ store: [String], _ other: [String], _ policy: MergePolicy = .error,
    otherFiles: (StoreFiles) throws -> Void = { _ in }
  ) throws -> Outcome {
    let suffix = UUID().uuidString
    let (mine, theirs) = (
      try samples.copy(named: "Store-\(suffix)", changing: store),
      try samples.copy(named: "Other-\(suffix)", changing: other, files: otherFiles)
    )
    var options = MergeOptions()
    options.policy = policy
    let path = samples.directory.file("Merged-\(suffix).sqlite")
    let summary = try StoreMerger(options: options).merge(
      theirs, into: mine, base: samples.sample, at: path)
    return Outcome(path: path, summary: summary, store: mine, other: theirs)
  }

  /// The conflicts that prevented a merge.
  private func refused(_ body: () throws -> Outcome) -> [MergeConflict.Kind] {
    let error = #expect(throws: CofferError.self) { _ = try body() }
    #expect(error?.code == .mergeConflicts)
    return error?.mergeConflicts.list.map(\.kind) ?? []
  }

  // MARK: Relationships

  /// Settings of one person that move to a different person on each side: one of the two persons gets them.
  @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump])
  func thePartnerThatLosesIsUnset(_ policy: MergePolicy) throws {
    func settings(of person: Int) -> [String] {
      [
        "UPDATE ZPERSONENTITY SET ZSETTINGS = NULL WHERE Z_PK = 4",
        "UPDATE ZPERSONENTITY SET ZSETTINGS = 3 WHERE Z_PK = \(person)",
        "UPDATE ZSETTINGSENTITY SET ZPERSON = \(person) WHERE Z_PK = 3",
      ]
    }
    let merged = try merge(settings(of: 5), settings(of: 3), policy)
    let winner: Int64 = policy == .mergeByPropertyStoreTrump ? 5 : 3
    #expect(merged.conflicts.contains("SettingsEntity/p3.person: the stores have different values"))
    #expect(
      try merged.rows("SELECT Z_PK FROM ZPERSONENTITY WHERE ZSETTINGS = 3")
        == [[.integer(winner)]])
    #expect(
      try merged.rows("SELECT ZPERSON FROM ZSETTINGSENTITY ORDER BY Z_PK")
        == [[.integer(2)], [.integer(1)], [.integer(winner)]])
  }

  @Test(arguments: MergePolicy.allCases) func aDeletionThatARuleForbids(
    _ policy: MergePolicy
  ) throws {
    // A location cannot be deleted as long as a todo exists.
    let other = [
      "UPDATE ZITEMENTITY SET ZLOCATION = NULL WHERE ZLOCATION = 2",
      "DELETE FROM ZLOCATIONENTITY WHERE Z_PK = 2",
      "UPDATE ZVISITENTITY SET Z6VISITS = NULL, Z_FOK_6VISITS = NULL WHERE Z6VISITS = 2",
    ]
    let store = ["UPDATE ZITEMENTITY SET ZLOCATION = 2 WHERE Z_PK = 2"]
    switch policy {
    case .error, .mergeByPropertyObjectTrump, .overwrite:
      let kinds = refused { try merge(store, other, policy) }
      #expect(kinds.contains(policy == .error ? .changedHere : .denied))
    case .mergeByPropertyStoreTrump, .rollback:
      let merged = try merge(store, other, policy)
      #expect(
        try merged.rows("SELECT count(*) FROM ZLOCATIONENTITY WHERE Z_PK = 2") == [[.integer(1)]])
      #expect(
        try merged.rows("SELECT ZLOCATION FROM ZITEMENTITY WHERE Z_PK = 2") == [[.integer(2)]])
    }
  }

  @Test(arguments: MergePolicy.allCases) func anOrderedRelationshipThatBothMoved(
    _ policy: MergePolicy
  ) throws {
    // 3, 1, 2 becomes 1, 2, 3 on one side and 2, 3, 1 on the other.
    let store = ["UPDATE ZVISITENTITY SET Z_FOK_6VISITS = 4096 WHERE Z_PK = 3"]
    let other = ["UPDATE ZVISITENTITY SET Z_FOK_6VISITS = 512 WHERE Z_PK = 2"]
    guard policy != .error else {
      #expect(refused { try merge(store, other) } == [.order])
      return
    }
    let merged = try merge(store, other, policy)
    let isStore = policy == .mergeByPropertyStoreTrump || policy == .rollback
    #expect(
      try merged.rows("SELECT Z_PK FROM ZVISITENTITY WHERE Z6VISITS = 1 ORDER BY Z_FOK_6VISITS")
        == (isStore ? [1, 2, 3] : [2, 3, 1]).map { [.integer($0)] })
  }

  // MARK: Uniqueness

  /// Both added an object of the same unique key: it is one object.
  @Test(arguments: MergePolicy.allCases) func theSameUniqueKeyIsTheSameObject(
    _ policy: MergePolicy
  ) throws {
    func added(_ color: Int) -> [String] {
      [
        "INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOLOR) VALUES (100, 9, 1, 'same', \(color))",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 100 WHERE Z_NAME = 'TagEntity'",
      ]
    }
    guard policy != .error else {
      #expect(refused { try merge(added(1), added(2)) } == [.property])
      return
    }
    let merged = try merge(added(1), added(2), policy)
    let prefersStore = policy == .mergeByPropertyStoreTrump || policy == .rollback
    #expect(
      try merged.rows("SELECT ZCOLOR FROM ZTAGENTITY WHERE ZNAME = 'same'")
        == [[.integer(prefersStore ? 1 : 2)]])
  }

  /// One side gave the key to an object of the base, the other to a new one: they are two objects.
  @Test(arguments: MergePolicy.allCases) func aUniqueKeyOfTwoObjectsIsRefused(
    _ policy: MergePolicy
  ) throws {
    let kinds = refused {
      try merge(
        ["UPDATE ZTAGENTITY SET ZNAME = 'same' WHERE Z_PK = 1"],
        [
          "INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOLOR) VALUES (100, 9, 1, 'same', 2)",
          "UPDATE Z_PRIMARYKEY SET Z_MAX = 100 WHERE Z_NAME = 'TagEntity'",
        ], policy)
    }
    #expect(kinds == [.uniqueness])
  }

  @Test func objectsExchangeUniqueValues() throws {
    let exchange = [
      "UPDATE ZTAGENTITY SET ZNAME = 'aside' WHERE Z_PK = 1",
      "UPDATE ZTAGENTITY SET ZNAME = 'home' WHERE Z_PK = 2",
      "UPDATE ZTAGENTITY SET ZNAME = 'work' WHERE Z_PK = 1",
    ]
    let merged = try merge(["UPDATE ZTAGENTITY SET ZCOLOR = 5 WHERE Z_PK = 1"], exchange)
    #expect(
      try merged.rows("SELECT ZNAME, ZCOLOR FROM ZTAGENTITY WHERE Z_PK < 3 ORDER BY Z_PK")
        == [[.string("work"), .integer(5)], [.string("home"), .integer(-1)]])
  }

  // MARK: Attributes

  @Test func elementsOfACompositeAttributeAreMergedOneByOne() throws {
    let merged = try merge(
      ["UPDATE ZLOCATIONENTITY SET ZCITY = 'Potsdam' WHERE Z_PK = 1"],
      ["UPDATE ZLOCATIONENTITY SET ZSTREET = 'elsewhere' WHERE Z_PK = 1"])
    #expect(
      try merged.rows("SELECT ZCITY, ZSTREET FROM ZLOCATIONENTITY WHERE Z_PK = 1")
        == [[.string("Potsdam"), .string("elsewhere")]])
    let error = #expect(throws: CofferError.self) {
      try merge(
        ["UPDATE ZLOCATIONENTITY SET ZCITY = 'one' WHERE Z_PK = 1"],
        ["UPDATE ZLOCATIONENTITY SET ZCITY = 'two' WHERE Z_PK = 1"], .error,
        otherFiles: { _ in })
    }
    #expect(
      error?.mergeConflicts.list.map(\.description) == [
        "LocationEntity/p1.place.address.city: the stores have different values"
      ])
  }

  @Test func transformableValuesAreMergedAsBytes() throws {
    let other = ["UPDATE ZSETTINGSENTITY SET ZCOLORS = x'0102' WHERE Z_PK = 1"]
    let merged = try merge(["UPDATE ZSETTINGSENTITY SET ZVOLUME = 1 WHERE Z_PK = 1"], other)
    #expect(
      try merged.rows("SELECT ZCOLORS, ZVOLUME FROM ZSETTINGSENTITY WHERE Z_PK = 1")
        == [[.blob([1, 2]), .real(1)]])
  }

  @Test func derivedAttributesFollowARelationship() throws {
    let merged = try merge([], ["UPDATE ZITEMENTITY SET ZLOCATION = 1 WHERE Z_PK = 5"])
    #expect(
      try merged.rows("SELECT ZTODOCOUNT FROM ZLOCATIONENTITY ORDER BY Z_PK")
        == [[.integer(4)], [.integer(0)], [.integer(0)]])
    #expect(
      try merged.rows("SELECT ZLOCATIONNAME FROM ZITEMENTITY WHERE Z_PK = 5")
        == [[.string("Home")]])
  }

  /// Both stores gave the next key to an object, of different entities of a tree.
  @Test func newObjectsOfATreeGetKeysOfTheirRoot() throws {
    func added(_ entity: Int, _ title: String) -> [String] {
      [
        "INSERT INTO ZITEMENTITY (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCREATEDAT, ZUUID, ZFLAGS, ZPOSITION, "
          + "ZSEQUENCE, ZISLOCKED, ZISDONE, ZPRIORITY, ZINTERVAL) VALUES (100, \(entity), 1, '\(title)', "
          + "1, randomblob(16), 0, 0, 0, 0, 0, 1, 1)",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 100 WHERE Z_NAME = 'ItemEntity'",
      ]
    }
    let merged = try merge(
      added(3, "note"),
      added(5, "todo") + [
        "UPDATE ZITEMENTITY SET ZPARENT = 100, Z4_PARENT = 5 WHERE Z_PK = 5"
      ])
    #expect(
      try merged.rows("SELECT Z_PK, Z_ENT, ZTITLE FROM ZITEMENTITY WHERE Z_PK > 99 ORDER BY Z_PK")
        == [
          [.integer(100), .integer(3), .string("note")],
          [.integer(101), .integer(5), .string("todo")],
        ])
    #expect(
      try merged.rows("SELECT ZPARENT, Z4_PARENT FROM ZITEMENTITY WHERE Z_PK = 5")
        == [[.integer(101), .integer(5)]])
    #expect(
      try merged.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'ItemEntity'")
        == [[.integer(101)]])
  }

  // MARK: Files

  private static let file = "0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1"
  private static let newFile = "C0000000-0000-4000-8000-000000000001"

  private func content(_ name: String) -> String {
    "UPDATE ZATTACHMENTENTITY SET ZCONTENT = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE Z_PK = 4"
  }

  private func write(_ bytes: [UInt8], as name: String, _ files: StoreFiles) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(files.externalDataFolder)/\(name)"))
  }

  @Test func aFileOfTheOtherStoreReplacesThatOfTheBase() throws {
    let merged = try merge([], [content(Self.newFile)], .error) {
      try write([1, 2, 3], as: Self.newFile, $0)
      try FileManager.default.removeItem(atPath: "\($0.externalDataFolder)/\(Self.file)")
    }
    let files = StoreFiles(merged.path).externalFileNames
    #expect(files.contains(Self.newFile))
    #expect(!files.contains(Self.file))
    #expect(merged.summary.differences.externalData.added == 1)
    #expect(merged.summary.differences.externalData.removed == 1)
  }

  @Test func aDeletedObjectTakesItsFileAlong() throws {
    let merged = try merge([], ["DELETE FROM ZATTACHMENTENTITY WHERE Z_PK = 4"], .error) {
      try FileManager.default.removeItem(atPath: "\($0.externalDataFolder)/\(Self.file)")
    }
    let names = StoreFiles(merged.path).externalFileNames
    #expect(!names.contains(Self.file))
    #expect(names.count == 1)
  }

  @Test func theSameBytesInFilesOfDifferentNamesAreNoConflict() throws {
    let bytes = [UInt8](repeating: 7, count: 2000)
    let mine = "D0000000-0000-4000-8000-000000000001"
    let store = try samples.copy(named: "Mine", changing: [content(mine)]) {
      try write(bytes, as: mine, $0)
    }
    let other = try samples.copy(named: "Theirs", changing: [content(Self.newFile)]) {
      try write(bytes, as: Self.newFile, $0)
    }
    let summary = try StoreMerger().merge(
      other, into: store, base: samples.sample, at: samples.directory.file("Merged.sqlite"))
    #expect(summary.conflicts.count == 0)
    #expect(summary.differences.isEqual)
    // One that differs is one.
    let third = try samples.copy(of: other, named: "Third") {
      try write([9], as: Self.newFile, $0)
    }
    let error = #expect(throws: CofferError.self) {
      try StoreMerger().merge(third, into: store, base: samples.sample)
    }
    #expect(
      error?.mergeConflicts.list.map(\.description) == [
        "AttachmentEntity/p4.content: the stores have different values"
      ])
  }

  // MARK: Whole stores

  @Test func nothingNewIsFoundInAMergedStore() throws {
    let merged = try merge(
      [
        "UPDATE ZPERSONENTITY SET ZNAME = 'Ada L.' WHERE Z_PK = 1",
        "INSERT INTO Z_4TAGS VALUES (5, 1)",
      ],
      [
        "DELETE FROM Z_4TAGS WHERE Z_4TODOS = 1 AND Z_9TAGS = 2",
        "UPDATE ZITEMENTITY SET ZTITLE = 'other' WHERE Z_PK = 7",
        "INSERT INTO Z_7FRIENDS VALUES (5, 6)", "INSERT INTO Z_7FRIENDS VALUES (6, 5)",
      ])
    var codes: [[String]] = []
    for path in [merged.store, merged.path] {
      var found: [String] = []
      try Verifier().verify(path) { found.append("\($0.code.text) \($0.severity)") }
      codes.append(found.sorted())
    }
    #expect(codes[0] == codes[1])
    // It is as good a store as any other.
    let archive = samples.directory.file("Merged.coffer.tar.gz")
    try StoreExporter().export(storeAt: merged.path, to: archive)
    let restored = try samples.restored(archive)
    #expect(try StoreComparer.differences(merged.path, restored) == [])
  }

  @Test func aMirroredStoreIsRefused() throws {
    try GeneratorDatabase(path: samples.sample).run(
      "CREATE TABLE ANSCKMETADATAENTRY (Z_PK INTEGER PRIMARY KEY, ZKEY VARCHAR);"
        + "INSERT INTO ANSCKMETADATAENTRY VALUES (1, 'x')")
    let other = try samples.copy(changing: ["UPDATE ZTAGENTITY SET ZCOLOR = 5 WHERE Z_PK = 1"])
    let path = samples.directory.file("Merged.sqlite")
    let error = #expect(throws: CofferError.self) {
      try StoreMerger().merge(other, into: samples.sample, base: samples.sample, at: path)
    }
    #expect(error?.code == .mirroredStore)
    #expect(!FileManager.default.fileExists(atPath: path))
    var options = MergeOptions()
    options.editing.allowsMirrored = true
    let summary = try StoreMerger(options: options).merge(
      other, into: samples.sample, base: samples.sample, at: path)
    #expect(summary.differences.objects.changed == 1)
  }

  @Test func anotherSchemaIsRefusedWithTheWay() throws {
    let store = try samples.copy(named: "Store")
    let other = try samples.copy(changing: ["ALTER TABLE ZTAGENTITY ADD COLUMN ZEXTRA INTEGER"])
    let error = #expect(throws: CofferError.self) {
      try StoreMerger().merge(other, into: store, base: samples.sample)
    }
    #expect(error?.code == .modelMismatch)
    #expect(error?.advice.contains(.migrateFirst) == true)
  }

  /// Keys that are nil or occur twice match nothing, and are listed.
  @Test func keysThatTellNothingApartAreListed() throws {
    var options = MergeOptions()
    options.naturalKeys = Self.keys
    let other = try samples.copy(changing: [
      "UPDATE ZVISITENTITY SET ZDEPARTURE = NULL WHERE Z_PK = 1",
      "UPDATE ZVISITENTITY SET ZDEPARTURE = 5 WHERE Z_PK IN (2, 3)",
    ])
    let path = samples.directory.file("Merged.sqlite")
    let summary = try StoreMerger(options: options).merge(other, into: samples.sample, at: path)
    let visits = try #require(summary.matching.first { $0.entityName == "VisitEntity" })
    #expect(visits.second.incompleteCount == 2)
    #expect(visits.second.repeatedCount == 2)
    // What matches nothing is added.
    #expect(
      try GeneratorDatabase(path: path).integer("SELECT count(*) FROM ZVISITENTITY") == 8)
    // With a base, keys distinguish them.
    options.editing.overwriting = true
    let known = try StoreMerger(options: options).merge(
      other, into: samples.sample, base: samples.copy(named: "Base"), at: path)
    #expect(known.matching.allSatisfy { $0.first.count == 0 && $0.second.count == 0 })
    #expect(known.matching.count == summary.matching.count)
  }

  private static let keys = [
    NaturalKey(entityName: "AttachmentEntity", keyPaths: ["uuid"]),
    NaturalKey(entityName: "ItemEntity", keyPaths: ["uuid"]),
    NaturalKey(entityName: "LocationEntity", keyPaths: ["radius"]),
    NaturalKey(entityName: "PersonEntity", keyPaths: ["name"]),
    NaturalKey(entityName: "VisitEntity", keyPaths: ["departure"]),
  ]
}
