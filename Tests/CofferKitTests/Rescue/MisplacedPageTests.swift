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
