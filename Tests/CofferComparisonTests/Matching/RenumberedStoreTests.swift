internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Two stores with the same objects under other primary keys are the same, and any other difference
/// is found.
@Suite struct RenumberedStoreTests {
  let samples: SampleSources
  private let large: String
  private let renumbered: String

  init() throws {
    samples = try SampleSources()
    var options = GeneratorOptions()
    options.objectCount = 900
    options.externalCount = 4
    large = samples.directory.file("Large.sqlite")
    try StoreMaker.write(to: large, options)
    let database = try GeneratorDatabase(path: large)
    try database.registerCoreDataFunctions()
    // What identifies an object has a value of its own.
    try database.run(
      """
      UPDATE ZPERSONENTITY SET ZEMAIL = 'p' || Z_PK;
      UPDATE ZLOCATIONENTITY SET ZNAME = 'é' || Z_PK, ZRADIUS = 0.5;
      UPDATE ZLOCATIONENTITY SET ZNAME = 'e' || char(769) || (Z_PK - 1) WHERE Z_PK % 2 = 0;
      UPDATE ZVISITENTITY SET ZARRIVAL = Z_PK;
      """)
    renumbered = try samples.copy(of: large, named: "Renumbered") { files in
      try RenumberedStore.renumber(files, seed: 5)
    }
  }

  private func differences(
    _ first: String, _ second: String, _ change: (inout ComparisonOptions) -> Void = { _ in }
  ) throws -> (texts: [String], summary: ComparisonSummary) {
    var options = ComparisonOptions()
    options.naturalKeys = RenumberedStore.keys
    options.ignoredAspects = Set(ComparisonOptions.Aspect.allCases)
    change(&options)
    var texts: [String] = []
    let summary = try StoreComparison(options: options).compare(first, second) {
      texts.append($0.text)
    }
    return (texts, summary)
  }

  @Test func renumberedObjectsAreTheSame() throws {
    for form in Form.allCases {
      let (first, second) = try form.sources(large, renumbered, samples)
      let found = try differences(first, second)
      #expect(found.texts == [], "\(form)")
      #expect(found.summary.isEqual)
      #expect(found.summary.firstObjectCount == found.summary.secondObjectCount)
      #expect(found.summary.firstObjectCount > 800)
    }
    let byKey = try differences(large, renumbered) {
      $0.naturalKeys = []
      $0.matchesByObjectID = true
    }
    #expect(byKey.texts.count > 500)
  }

  @Test func eachEntitySaysWhatItWasMatchedBy() throws {
    let summary = try differences(large, renumbered).summary
    let rules = Dictionary(
      uniqueKeysWithValues: summary.matching.map { ($0.entityName, $0.rule) })
    #expect(rules["TagEntity"] == .uniquenessConstraint(["name"]))
    #expect(rules["PersonEntity"] == .naturalKey(["email"]))
    #expect(rules["RecurringTodoEntity"] == .naturalKey(["uuid"]))
    #expect(!summary.matchesKeysOfDifferentStores)
    let alone = try differences(large, renumbered) { $0.naturalKeys = [] }.summary
    #expect(alone.matchesKeysOfDifferentStores)
    #expect(alone.matching.contains { $0.entityName == "VisitEntity" && $0.rule == .objectID })
  }

  @Test func whatDiffersBesideTheKeysIsFound() throws {
    let changed = try samples.copy(of: renumbered, named: "Changed") { files in
      let database = try GeneratorDatabase(path: files.path)
      try database.registerCoreDataFunctions()
      try database.run(
        """
        UPDATE ZTAGENTITY SET ZCOLOR = 4711 WHERE Z_PK = (SELECT min(Z_PK) FROM ZTAGENTITY);
        DELETE FROM ZVISITENTITY WHERE Z_PK = (SELECT min(Z_PK) FROM ZVISITENTITY);
        UPDATE ZITEMENTITY SET ZAUTHOR = (SELECT max(Z_PK) FROM ZPERSONENTITY WHERE Z_PK <> ZAUTHOR)
          WHERE Z_PK = (SELECT min(Z_PK) FROM ZITEMENTITY WHERE ZAUTHOR IS NOT NULL);
        DELETE FROM Z_4TAGS WHERE rowid = (SELECT min(rowid) FROM Z_4TAGS);
        """)
    }
    let texts = try differences(large, changed).texts
    #expect(texts.count == 4, "\(texts)")
    #expect(texts.contains { $0.hasPrefix("changed TagEntity/p1 attribute:color") })
    #expect(texts.contains { $0.hasPrefix("removed VisitEntity/") })
    #expect(texts.contains { $0.hasPrefix("changed NoteEntity/") && $0.hasSuffix("author") })
    #expect(texts.contains { $0.hasPrefix("removed TodoEntity.tags ") })
    let back = try differences(changed, large).texts
    #expect(back.contains { $0.hasPrefix("added VisitEntity/") })
    #expect(back.contains { $0.hasPrefix("added TodoEntity.tags ") })
    #expect(back.count == 4, "\(back)")
  }

  @Test func onlyTheChosenEntitiesAreCompared() throws {
    let changed = try samples.copy(
      of: renumbered, named: "Changed",
      changing: ["UPDATE ZTAGENTITY SET ZCOLOR = 9999", "DELETE FROM ZVISITENTITY"])
    func entities(_ names: String...) throws -> [String] {
      try differences(large, changed) { $0.entityNames = names.map { Name($0) } }.summary.entities
        .map(\.entityName.text)
    }
    #expect(try entities("VisitEntity") == ["VisitEntity"])
    #expect(try entities("TagEntity", "VisitEntity") == ["TagEntity", "VisitEntity"])
    #expect(try entities("ItemEntity") == [])
    let one = try differences(large, changed) {
      $0.entityNames = ["TodoEntity"]
      $0.ignoredAspects = []
    }
    #expect(one.summary.store.total == 0)
    #expect(one.summary.tables == [])
    #expect(one.summary.matching.map(\.entityName) == ["RecurringTodoEntity", "TodoEntity"])
    #expect(throws: CofferError.self) { _ = try entities("VisitEntitie") }
  }

  @Test func aspectsAreComparedUnlessTheyAreIgnored() throws {
    let all = try differences(large, renumbered) { $0.ignoredAspects = [] }
    #expect(all.texts.contains("changed store-uuid"))
    let some = try differences(large, renumbered) { $0.ignoredAspects = [.counters, .history] }
    #expect(some.texts == ["changed store-uuid"])
    let versions = try samples.copy(
      of: large, named: "Versions", changing: ["UPDATE ZTAGENTITY SET Z_OPT = Z_OPT + 1"])
    #expect(
      try differences(large, versions) {
        ($0.naturalKeys, $0.ignoredAspects) = ([], [])
      }.texts.contains("changed TagEntity/p1 version:"))
    #expect(try differences(large, versions) { $0.naturalKeys = [] }.texts == [])
  }
}
