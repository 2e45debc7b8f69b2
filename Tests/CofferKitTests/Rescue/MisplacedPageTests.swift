internal import CofferKit
internal import CoreDataModel
internal import Foundation
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

  /// Pages of one table in each other's place: their rows are there, but not where their numbers lead.
  @Test func rowsOnPagesInAWrongOrderAreFound() throws {
    let (trial, problems) = try Self.rescue { map in
      let pages = map.pages(of: "ZITEMENTITY", .tableLeaf).map(\.number)
      try #require(pages.count > 3)
      return [.swap(pages[1], pages[pages.count - 2])]
    }
    #expect(problems == [])
    #expect(trial.summary.lostTables == [])
    let keys = try [trial.new, trial.twin].map {
      try GeneratorDatabase(path: $0).rows("SELECT Z_PK FROM ZITEMENTITY ORDER BY 1").map {
        "\($0)"
      }
    }
    #expect(keys[0] == keys[1])
  }

  /// The rows of the page after it come twice, and no index tells which ones were there.
  @Test func rowsOfAPageThatAnotherReplacedAreLost() throws {
    let folder = try TemporaryDirectory()
    let plain = folder.file("Plain.sqlite")
    try FileManager.default.copyItem(atPath: RescueTwin.path(), toPath: plain)
    let database = try GeneratorDatabase(path: plain)
    let indexes = try database.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'ZITEMENTITY'")
    for case .text(let name)? in indexes.map(\.first) {
      try database.run("DROP INDEX \(String(decoding: name, as: UTF8.self))")
    }
    let trial = try RescueTrial(of: plain) { map in
      let pages = map.pages(of: "ZITEMENTITY", .tableLeaf).map(\.number)
      try #require(pages.count > 3)
      return [.copy(from: pages[2], to: pages[1])]
    }
    #expect(trial.summary.lostTables.contains { $0.name == "entities/ItemEntity" })
  }

  /// A page of a table twice: no command takes its rows for other objects.
  @Test func rowsThatComeTwiceAreAnErrorOfTablesAndComparisons() throws {
    let trial = try Self.rescue { map in
      let pages = map.pages(of: "ZITEMENTITY", .tableLeaf).map(\.number)
      return [.copy(from: pages[2], to: pages[1])]
    }.trial
    let comparison = #expect(throws: CofferError.self) {
      try StoreComparison().compare(trial.twin, trial.damaged)
    }
    for format in DataFormat.allCases {
      let exporter = DataExporter(options: DataExportOptions(format: format))
      let error = #expect(throws: CofferError.self) {
        try exporter.write(trial.damaged, to: trial.folder.file("Tables"))
      }
      #expect(error?.code == .damagedStore && error?.detail == comparison?.detail)
    }
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
