internal import CofferKit
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
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
    #expect(trial.summary.lostTables.contains { $0.folder == "entities/LocationEntity" })
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
    #expect(trial.summary.lostTables.contains { $0.folder.lowercased().contains("itementity") })
  }

  /// Swapped pages of one table: their rows exist, but not where their numbers lead.
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

  /// The rows of the page after it come twice, and no index shows the original ones.
  @Test func rowsOfAPageThatAnotherReplacedAreLost() throws {
    let folder = try TemporaryDirectory()
    let trial = try RescueTrial(of: Self.plainStore(in: folder)) { map in
      let pages = map.pages(of: "ZITEMENTITY", .tableLeaf).map(\.number)
      try #require(pages.count > 3)
      return [.copy(from: pages[2], to: pages[1])]
    }
    #expect(trial.summary.lostTables.contains { $0.folder == "entities/ItemEntity" })
  }

  /// A store whose items have no index that shows the original ones.
  private static func plainStore(in folder: TemporaryDirectory) throws -> String {
    let plain = folder.file("Plain.sqlite")
    try FileManager.default.copyItem(atPath: RescueTwin.path(), toPath: plain)
    let database = try GeneratorDatabase(path: plain)
    let indexes = try database.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'ZITEMENTITY'")
    for case .text(let name)? in indexes.map(\.first) {
      try database.run("DROP INDEX \(String(decoding: name, as: UTF8.self))")
    }
    return plain
  }

  /// One flipped bit in the number of a row: losses are reported, and impossible rows are not counted.
  @Test(arguments: 0..<8, [false, true]) func aFlippedRowNumberIsTold(_ bit: Int, _ isLast: Bool)
    throws
  {
    let folder = try TemporaryDirectory()
    let plain = try Self.plainStore(in: folder)
    func keys(_ path: String) throws -> Set<Int64> {
      let rows = try GeneratorDatabase(path: path).rows("SELECT Z_PK FROM ZITEMENTITY")
      return Set(rows.compactMap { if case .integer(let key) = $0[0] { key } else { nil } })
    }
    let map = try PageMap(plain)
    let leaves = map.pages(of: "ZITEMENTITY", .tableLeaf).map(\.number)
    let page = (try #require(isLast ? leaves.last : leaves.dropFirst().first) - 1) * map.pageSize
    var data = try Data(contentsOf: URL(fileURLWithPath: plain))
    func number(_ offset: Int) -> Int {
      Int(data[page + offset]) << 8 | Int(data[page + offset + 1])
    }
    var offset = page + number(8 + 2 * (isLast ? number(3) - 2 : number(3) / 2))
    // Before the number stands the size of the row.
    while data[offset] & 0x80 != 0 { offset += 1 }
    data[offset + 1] ^= 1 << UInt8(bit)
    let damaged = folder.file("Damaged.sqlite")
    try data.write(to: URL(fileURLWithPath: damaged))
    let summary = try StoreRescuer().rescue(damaged, to: folder.file("New.sqlite"))
    let table = summary.lostTables.first { $0.folder == "entities/ItemEntity" }
    for key in try keys(plain).subtracting(keys(folder.file("New.sqlite"))) {
      let isTold = table?.rows.contains { $0.first <= key && key <= $0.last ?? .max }
      #expect(isTold == true, "row \(key)")
    }
    #expect(table?.lostCount ?? 0 < data.count / 8)
  }

  /// A page of a table twice: no command takes its rows for other objects, or leaves them out.
  @Test func rowsThatComeTwiceAreOneErrorEverywhere() throws {
    let trial = try Self.rescue { map in
      let pages = map.pages(of: "ZITEMENTITY", .tableLeaf).map(\.number)
      return [.copy(from: pages[2], to: pages[1])]
    }.trial
    let (damaged, folder) = (trial.damaged, trial.folder)
    let comparison = #expect(throws: CofferError.self) {
      try StoreComparison().compare(trial.twin, damaged)
    }
    func query(_ statement: String) throws {
      try StoreQueries(damaged).run(statement, columns: { _ in }, row: { _ in true })
    }
    let items = ObjectQuery(entityName: "ItemEntity")
    let works: [(String, () throws -> Void)] =
      DataFormat.allCases.map { format in
        let exporter = DataExporter(options: DataExportOptions(format: format))
        return ("\(format)", { _ = try exporter.write(damaged, to: folder.file("Tables")) })
      } + [
        ("inspect", { _ = try StoreInspector().inspect(damaged) }),
        ("show", { _ = try ObjectBrowser().groups(damaged, items, by: []) }),
        ("count", { try query("SELECT count(title) FROM ItemEntity") }),
        ("scan", { try query("SELECT max(title) FROM ItemEntity") }),
        (
          "anonymize",
          { _ = try StoreAnonymizer().anonymize(damaged, to: folder.file("Share.sqlite")) }
        ),
        (
          "migrate",
          {
            _ = try StoreMigrator().migrate(damaged, to: trial.twin, at: folder.file("Next.sqlite"))
          }
        ),
        ("compact", { _ = try StoreCompactor().compact(damaged) }),
        ("compact --dry-run", { _ = try StoreCompactor().plan(damaged) }),
      ]
    for (name, work) in works {
      let error = #expect(throws: CofferError.self, "\(name)") { try work() }
      #expect(error?.code == .damagedStore && error?.detail == comparison?.detail, "\(name)")
    }
    // Rows found by their number, or before the damage, are genuine.
    try query("SELECT * FROM ItemEntity LIMIT 2")
    try query("SELECT * FROM ItemEntity WHERE id = 1")
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
    let names = try GeneratorDatabase(path: trial.new).rows(
      "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE typeof(Z_NAME) <> 'text'")
    #expect(names.isEmpty)
  }

  @Test func objectsWithoutNumbersAreNoObjectsOfAnotherTable() throws {
    let (_, problems) = try Self.rescue { map in
      let leaf = try #require(map.pages(of: "ZITEMENTITY", .tableLeaf).last).number
      return try ["ZLOCATIONENTITY", "Z_PRIMARYKEY"].map {
        .copy(from: leaf, to: try #require(map.pages(of: $0, .tableLeaf).first).number)
      }
    }
    #expect(problems == [])
  }
}
