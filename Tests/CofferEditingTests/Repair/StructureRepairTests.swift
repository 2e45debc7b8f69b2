internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Tables, columns and numbers of entities that a store lacks are added as Core Data makes them.
@Suite struct StructureRepairTests {
  private static func safe(_ codes: Set<FindingCode> = []) -> StoreRepairer {
    var options = RepairOptions()
    options.kinds = [.lossless]
    options.codes = codes
    return StoreRepairer(options: options)
  }

  /// The names of everything in the schema, and the columns of all tables.
  private static func schema(of path: String) throws -> Set<String> {
    let database = try GeneratorDatabase(path: path)
    let objects = try database.rows("SELECT type, name, tbl_name FROM sqlite_master")
    let columns = try database.rows(
      "SELECT m.name, c.name, c.type FROM sqlite_master AS m, pragma_table_info(m.name) AS c "
        + "WHERE m.type = 'table'")
    return Set((objects + columns).map { "\($0)" })
  }

  private static func integers(_ path: String, _ sql: String) throws -> [[Int64?]] {
    try GeneratorDatabase(path: path).rows(sql).map { $0.map(\.integer) }
  }

  @Test(arguments: [
    "missing-table", "missing-column", "missing-version-column", "missing-element-column",
    "missing-to-one-column", "missing-entity-column", "missing-order-column",
    "missing-pair-order-column", "missing-owner-column", "missing-primary-key-row",
    "unknown-primary-key-name",
  ])
  func whatIsMissingIsThereAgain(_ name: String) throws {
    let sample = try SampleCopy()
    let before = try Self.schema(of: sample.path)
    try #require(Damage.named(name)).apply(to: sample.path)
    let damaged = try Data(contentsOf: URL(fileURLWithPath: sample.path))
    let planned = try Self.safe().plan(sample.path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: sample.path)) == damaged)
    let summary = try Self.safe().repair(sample.path)
    #expect(summary.repairs == planned.repairs)
    #expect(!summary.repairs.isEmpty)
    #expect(summary.unrepaired == [])
    #expect(try Verification(of: sample.path).texts == [])
    #expect(try Self.schema(of: sample.path) == before)
    #expect(try Self.safe().plan(sample.path).repairs == [])
  }

  /// Which of two relationships of one entity the table is named after is unknown.
  @Test func aTableOfWhichTheNameIsNotKnownIsNotCreated() throws {
    let sample = try SampleCopy()
    try Damage.missingJoinTable.apply(to: sample.path)
    let summary = try Self.safe().repair(sample.path)
    #expect(summary.repairs == [])
    #expect(summary.unrepaired.allSatisfy { $0.reason.hasPrefix("cannot determine which of Note") })
  }

  @Test func aTableOfPairsIsCreatedAsItWas() throws {
    let sample = try SampleCopy()
    let before = try Self.schema(of: sample.path)
    try sample.change("DROP TABLE Z_4TAGS")
    let summary = try Self.safe().repair(sample.path)
    #expect(summary.repairs.map(\.change) == ["create the table Z_4TAGS"])
    #expect(try Verification(of: sample.path).texts == [])
    #expect(try Self.schema(of: sample.path) == before)
  }

  @Test func objectsGetTheDefaultOfTheirAttribute() throws {
    let sample = try SampleCopy(
      changedBy: """
        DROP INDEX Z_TodoEntity_openByPriority; ALTER TABLE ZITEMENTITY DROP COLUMN ZPRIORITY; ALTER TABLE ZTAGENTITY DROP COLUMN ZCOLOR
        """)
    #expect(try Self.safe().repair(sample.path).repairCount == 2)
    #expect(
      try Self.integers(
        sample.path,
        "SELECT DISTINCT Z_ENT IN (4, 5), ZPRIORITY FROM ZITEMENTITY ORDER BY 1"
      ) == [[0, nil], [1, 3]])
    #expect(try Self.integers(sample.path, "SELECT DISTINCT ZCOLOR FROM ZTAGENTITY") == [[0]])
  }

  @Test func aRequiredValueIsNotLeftOut() throws {
    let sample = try SampleCopy(changedBy: "ALTER TABLE ZVISITENTITY DROP COLUMN ZARRIVAL")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: sample.path))
    let summary = try Self.safe().repair(sample.path)
    #expect(
      summary.unrepaired.map(\.reason) == [
        "the attribute is required and has no default, and 4 objects have lost it"
      ])
    #expect(try Data(contentsOf: URL(fileURLWithPath: sample.path)) == bytes)
    try sample.change("DELETE FROM ZVISITENTITY")
    #expect(try Self.safe().repair(sample.path).repairCount == 1)
  }

  /// A relationship that is to-one on both sides is stored twice.
  @Test func theOtherSideSaysWhereALostRelationshipLed() throws {
    let query = "SELECT Z_PK, ZSETTINGS FROM ZPERSONENTITY ORDER BY Z_PK"
    let sample = try SampleCopy()
    let before = try Self.integers(sample.path, query)
    try sample.change(
      """
      DROP INDEX IF EXISTS ZPERSONENTITY_ZSETTINGS_INDEX;
      ALTER TABLE ZPERSONENTITY DROP COLUMN ZSETTINGS
      """)
    #expect(try Self.safe().repair(sample.path).repairCount == 1)
    #expect(try Self.integers(sample.path, query) == before)
    #expect(before.contains { $0[1] != nil })
  }

  @Test func whatLedToLostObjectsMustBeNamed() throws {
    let sample = try SampleCopy(changedBy: "DROP TABLE ZTAGENTITY")
    let summary = try Self.safe().repair(sample.path)
    #expect(summary.repairs == [])
    #expect(summary.unrepaired.map(\.finding.code) == [.missingTable])
    #expect(
      summary.unrepaired.allSatisfy { $0.reason.hasPrefix("its repair would cause dangling-pair") })
    let lossy = try Self.safe([.danglingPair]).repair(sample.path)
    #expect(lossy.repairCounts[.missingTable] == 1)
    #expect(lossy.repairCounts[.danglingPair] ?? 0 > 0)
    #expect(lossy.unrepaired == [])
    #expect(try Verification(of: sample.path).texts == [])
  }

  @Test func theNumberOfAnEntityIsThatOfItsObjects() throws {
    let sample = try SampleCopy()
    try Damage.strangeEntityNumber.apply(to: sample.path)
    try sample.change("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 50")
    let summary = try Self.safe().repair(sample.path)
    #expect(summary.repairs.map(\.change) == ["set its number to 50"])
    #expect(
      try Self.integers(
        sample.path,
        "SELECT Z_ENT, Z_SUPER, Z_MAX >= 4 FROM Z_PRIMARYKEY WHERE Z_NAME = 'VisitEntity'"
      ) == [[50, 0, 1]])
  }

  @Test func aNumberThatNothingTellsIsNotGiven() throws {
    let sample = try SampleCopy()
    try Damage.strangeEntityNumber.apply(to: sample.path)
    try sample.change("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME IN ('TodoEntity', 'NoteEntity')")
    let summary = try Self.safe().repair(sample.path)
    #expect(summary.repairs == [])
    #expect(
      Set(summary.unrepaired.map(\.reason)) == ["the number of its objects cannot be determined"])
  }

  @Test func aFileOfChangesHoldsNoStructure() throws {
    for damage in [Damage.missingColumn, .missingVersionColumn, .missingPrimaryKeyRow] {
      let sample = try SampleCopy()
      try damage.apply(to: sample.path)
      let plan = try Self.safe().plan(
        sample.path, writingTo: .file(sample.folder.file("Plan.tar.gz")))
      #expect(plan.repairs == [])
      #expect(
        plan.unrepaired.map(\.reason) == [
          "a change file cannot contain a change of the schema"
        ])
    }
  }
}
