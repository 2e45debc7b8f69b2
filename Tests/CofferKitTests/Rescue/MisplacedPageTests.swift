internal import CofferKit
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A page of one table or index that stands in another is sound, and its rows are strangers there.
@Suite struct MisplacedPageTests {
  private static func rescue(
    _ damage: (PageMap) throws -> [PageDamage]
  ) throws -> (trial: RescueTrial, problems: [String]) {
    let trial = try RescueTrial(of: RescueTwin.path(), damage)
    return (trial, try RescueOracle(trial: trial).problems())
  }

  /// An index holds all of a pair, so that it could be read in place of the table.
  @Test(arguments: [
    ("sqlite_autoindex_Z_7FRIENDS_1", "Z_7FRIENDS_REFLEXIVE_INDEX"),
    ("sqlite_autoindex_Z_7FRIENDS_1", "ZATTACHMENTENTITY_ZITEM_INDEX"),
  ])
  func pairsOfAnotherIndexAreNotTaken(_ own: String, _ other: String) throws {
    let (trial, problems) = try Self.rescue { map in
      [
        .swap(
          try #require(map.pages(of: own, .indexLeaf).first).number,
          try #require(map.pages(of: other, .indexLeaf).first).number)
      ]
    }
    #expect(problems == [])
    let pairs = try [trial.twin, trial.new].map {
      try GeneratorDatabase(path: $0).rows("SELECT count(*) FROM Z_7FRIENDS").map { "\($0)" }
    }
    #expect(pairs[0] == pairs[1], "the table was readable")
  }

  @Test func objectsAreNoPairs() throws {
    let problems = try Self.rescue { map in
      [
        .copy(
          from: try #require(map.pages(of: "ZITEMENTITY", .tableLeaf).last).number,
          to: try #require(map.pages(of: "Z_3BACKLINKS", .tableLeaf).first).number)
      ]
    }.problems
    #expect(problems == [])
  }

  @Test func objectsOfAnotherTableAreNotTaken() throws {
    let (trial, problems) = try Self.rescue { map in
      [
        .swap(
          try #require(map.pages(of: "ZITEMENTITY", .tableLeaf).last).number,
          try #require(map.pages(of: "ZLOCATIONENTITY", .tableLeaf).first).number)
      ]
    }
    #expect(problems == [])
    #expect(trial.summary.lostTables.contains { $0.name == "entities/LocationEntity" })
  }

  /// Without the numbers of entities and the model, what is no row of objects still shows.
  @Test func rowsOfTheSchemaAreNoObjectsWithoutNumbers() throws {
    let trial = try Self.rescue { map in
      let lost = ["Z_PRIMARYKEY", "Z_MODELCACHE"].flatMap { name in
        map.pages.filter { $0.object == name }.map { PageDamage.zeros($0.number) }
      }
      return try lost + [
        .copy(
          from: try #require(map.pages(of: "sqlite_schema", .tableLeaf).last).number,
          to: try #require(map.pages(of: "ZITEMENTITY", .tableLeaf).last).number)
      ]
    }.trial
    let rows = try [trial.new, trial.twin].map {
      try GeneratorDatabase(path: $0).rows("SELECT Z_PK, Z_ENT FROM ZITEMENTITY").map { "\($0)" }
    }
    #expect(!rows[0].isEmpty && Set(rows[0]).isSubset(of: rows[1]))
    #expect(trial.summary.lostTables.contains { $0.name.lowercased().contains("itementity") })
  }

  @Test func rowsOfObjectsAreNoNumbersOfEntities() throws {
    let trial = try Self.rescue { map in
      [
        .copy(
          from: try #require(map.pages(of: "ZITEMENTITY", .tableLeaf).last).number,
          to: try #require(map.pages(of: "Z_PRIMARYKEY", .tableLeaf).first).number)
      ]
    }.trial
    let sound = try RescueTrial(of: RescueTwin.path()) { _ in [] }
    #expect(trial.recovered == sound.recovered)
  }
}
