internal import CofferKit
internal import CoreDataArchive
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A page of another table that fits at its position: only its rows show that it is misplaced.
@Suite struct StrangePageTests {
  /// The way in which a page of one table gets into another.
  enum Way: CaseIterable {
    /// It is written over the last leaf.
    case overwriting
    /// The page above the last leaf leads to it.
    case leading
  }

  private let folder: TemporaryDirectory
  private var twin: String { folder.file("Twin.sqlite") }
  private var damaged: String { folder.file("Damaged.sqlite") }
  private var new: String { folder.file("New.sqlite") }

  /// Writes a store of two entities that look the same, and two relationships that do.
  ///
  /// The keys and row numbers of the second go on where those of the first end.
  init() throws {
    folder = try TemporaryDirectory()
    func entity(_ name: Name, _ other: Name, _ inverse: String) -> EntityDescription {
      EntityDescription(
        name: name, className: name,
        attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: ["friends", "rivals"].map {
          RelationshipDescription(
            name: "\($0)\(inverse)", destinationName: other,
            inverseName: "\($0)\(inverse.isEmpty ? "Of" : "")", maxCount: 0)
        })
    }
    let model = ManagedObjectModel(
      entities: [entity("Alpha", "Beta", ""), entity("Beta", "Alpha", "Of")],
      versionIdentifiers: [""], source: .modelCache)
    let builder = try SampleStoreBuilder(path: twin, model: model, journal: .delete)
    let name = StoreValue.string(String(repeating: "n", count: 40))
    for key in 1...400 as ClosedRange<Int64> {
      try builder.insert("Alpha", ["name": name], primaryKey: key)
    }
    for key in 401...1200 as ClosedRange<Int64> {
      try builder.insert("Beta", ["name": name], primaryKey: key)
    }
    for key in 1...400 as ClosedRange<Int64> {
      try builder.link("Alpha", "friends", from: key, to: [400 + key, 800 + key])
      try builder.link(
        "Alpha", "rivals", from: key, to: (0..<4).map { 401 + (key + $0 * 97) % 800 })
    }
    try builder.finish()
  }

  private func pairTables() throws -> [String] {
    try GeneratorDatabase(path: twin).rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND "
        + "(name LIKE 'Z\\_%FRIENDS%' ESCAPE '\\' OR name LIKE 'Z\\_%RIVALS%' ESCAPE '\\') ORDER BY name"
    ).compactMap { RescueOracle.text($0[0]) }
  }

  /// Puts the last leaf of one table into another, and rescues the store.
  private func rescue(
    _ table: String, with other: String, _ way: Way, losing lost: [String] = []
  ) throws -> RescueSummary {
    try FileManager.default.copyItem(atPath: twin, toPath: damaged)
    let map = try PageMap(twin)
    let own = try #require(map.pages(of: table, .tableLeaf).max { $0.rows[0] < $1.rows[0] })
    let strange = try #require(map.pages(of: other, .tableLeaf).max { $0.rows[0] < $1.rows[0] })
    for page in map.pages where lost.contains(page.object) {
      try PageDamage.zeros(page.number).apply(to: damaged, pageSize: map.pageSize)
    }
    switch way {
    case .overwriting:
      try PageDamage.copy(from: strange.number, to: own.number)
        .apply(to: damaged, pageSize: map.pageSize)
    case .leading:
      let parent = try #require(map.pages(of: table, .tableInterior).first)
      let url = URL(fileURLWithPath: damaged)
      var data = try Data(contentsOf: url)
      let place = (parent.number - 1) * map.pageSize + 8
      data.replaceSubrange(
        place..<place + 4,
        with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: strange.number >> $0) })
      try data.write(to: url)
    }
    return try StoreRescuer().rescue(damaged, to: new)
  }

  /// The rows of a table without the versions of objects, which a repair raises.
  private func rows(_ table: String, in path: String) throws -> Set<String> {
    let columns = table.hasPrefix("Z_") ? "*" : "Z_PK, Z_ENT, ZNAME"
    return Set(
      try GeneratorDatabase(path: path).rows("SELECT \(columns) FROM \(table)").map { "\($0)" })
  }

  @Test(arguments: Way.allCases, [[], ["Z_PRIMARYKEY", "Z_MODELCACHE"]])
  func objectsOfAnotherTableAreKeptApart(_ way: Way, _ lost: [String]) throws {
    let summary = try rescue("ZALPHA", with: "ZBETA", way, losing: lost)
    let (found, all) = (try rows("ZALPHA", in: new), try rows("ZALPHA", in: twin))
    #expect(!found.isEmpty && found.isStrictSubset(of: all))
    #expect(try rows("ZBETA", in: new) == rows("ZBETA", in: twin))
    #expect(summary.findings.contains { $0.code == .misplacedRows })
    #expect(summary.lostTables.contains { $0.folder.lowercased().contains("alpha") })
  }

  /// The index has all pairs, so that none is lost either.
  @Test(arguments: Way.allCases)
  func pairsOfAnotherTableAreKeptApart(_ way: Way) throws {
    let tables = try pairTables()
    try #require(tables.count == 2)
    let summary = try rescue(tables[0], with: tables[1], way)
    for table in tables { #expect(try rows(table, in: new) == rows(table, in: twin), "\(table)") }
    #expect(summary.findings.contains { $0.code == .misplacedRows })
  }

  /// An app can have a table of its own with the columns of a table of objects.
  @Test func rowsOfTheAppsOwnTableAreNoLostObjects() throws {
    let database = try GeneratorDatabase(path: twin)
    let sql = try #require(
      database.rows("SELECT sql FROM sqlite_schema WHERE name = 'ZALPHA'").first
        .flatMap { RescueOracle.text($0[0]) })
    try database.run(sql.replacing("ZALPHA", with: "KEPT"))
    try database.run("INSERT INTO KEPT SELECT * FROM ZALPHA")
    try database.run("UPDATE KEPT SET Z_PK = Z_PK + 100000")
    let trial = try RescueTrial(of: twin) { _ in [] }
    #expect(trial.recovered.values.joined().allSatisfy { (RescueTrial.key($0) ?? 0) < 100_000 })
  }
}
