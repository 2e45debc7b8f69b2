internal import CofferCore
internal import CoreDataLayout
internal import CoreDataStore
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferComparison

/// Which rows of two states of a store are read, because their pages differ.
@Suite struct PageComparisonTests {
  private let folder: TemporaryDirectory
  private let old: String
  private let new: String

  init() throws {
    folder = try TemporaryDirectory()
    (old, new) = (folder.file("Old.sqlite"), folder.file("New.sqlite"))
    for path in [old, new] { try SampleStore.write(to: path) }
  }

  private func edit(_ statements: String) throws {
    let database = try GeneratorDatabase(path: new)
    try database.registerCoreDataFunctions()
    try database.run(statements)
  }

  /// Counts the rows that are read, by the names of the tables, with all objects that the tables have.
  private struct Count: SourcePairUse {
    let run: ComparisonRun

    func use(
      _ first: some RowSource, _ second: some RowSource
    ) throws -> (read: [String: Int], all: Int)? {
      let tables = try TableComparison(
        first, second, options: run.options, progress: run.progress, onDifference: { _ in })
      guard let differing = try tables.withoutCommonRows(run) else { return nil }
      var (read, all) = ([String: Int](), 0)
      for shape in first.shapes {
        for source in [differing.first, differing.second] {
          let rows = try source.rows(of: shape)
          while try rows.next() { read[shape.storedName, default: 0] += 1 }
        }
        if shape.kind == .entity { all += try differing.first.limitedRowCount(of: shape) ?? 0 }
      }
      return (read, all)
    }
  }

  private func count(
    _ options: ComparisonOptions = ComparisonOptions()
  ) throws -> (read: [String: Int], all: Int)? {
    let run = ComparisonRun(options: options, progress: SilentProgress())
    return try run.open(old, new, for: Count(run: run))
  }

  /// Requires that all rows are compared, and returns what is found.
  private func compareAll() throws -> ComparisonSummary {
    #expect(try count() == nil)
    return try StoreComparison().compare(old, new)
  }

  @Test func onlyTheRowThatDiffersIsRead() throws {
    try edit("UPDATE ZTAGENTITY SET ZNAME = 'other' WHERE Z_PK = 1")
    let found = try #require(try count())
    #expect(found.read["ZTAGENTITY"] == 2)
    #expect(found.read.allSatisfy { $0.key == "ZTAGENTITY" || !$0.key.hasPrefix("Z") })
    #expect(found.all == 37)
    let summary = try StoreComparison().compare(old, new)
    #expect(summary.firstObjectCount == 37 && summary.secondObjectCount == 37)
    #expect(summary.entities.map(\.counts.changed) == [1])
  }

  @Test func constraintsMatchRowsThatDifferAmongThemselves() throws {
    // A new object, one without its key, one that is gone, and one with the key of that.
    try edit(
      """
      UPDATE ZPERSONENTITY SET ZEMAIL = NULL WHERE Z_PK = 1; DELETE FROM ZTAGENTITY WHERE Z_PK = 2;
      INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT 99, Z_ENT, 1, 'new' FROM ZTAGENTITY LIMIT 1;
      """)
    let found = try #require(try count())
    #expect(found.read["ZPERSONENTITY"] == 2 && found.read["ZTAGENTITY"] == 2)
    let summary = try StoreComparison().compare(old, new)
    #expect(summary.matching.contains { $0.rule == .uniquenessConstraint(["name"]) })
    #expect(summary.entities.map(\.counts.total) == [1, 2])
  }

  @Test func allRowsAreComparedIfAnObjectHasAnotherPrimaryKey() throws {
    try edit("UPDATE ZTAGENTITY SET Z_PK = 99 WHERE Z_PK = 1")
    // The references to it lead to the same object as before, or to none.
    let summary = try compareAll()
    #expect(!summary.entities.contains { $0.entityName == "TagEntity" })
  }

  @Test func aKeyThatCommonRowsHaveMatchesNoOtherRows() throws {
    // Tag 1 is there twice, and then with the keys 1 and 3 instead of 1 and 2.
    for path in [old, new] {
      let database = try GeneratorDatabase(path: path)
      try database.registerCoreDataFunctions()
      try database.run("DROP INDEX IF EXISTS Z_TagEntity_UNIQUE_name; DELETE FROM ZTAGENTITY")
      let key = path == old ? 2 : 3
      try database.run(
        "INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 9, 1, 'same'), (\(key), 9, 1, 'same')"
      )
    }
    let summary = try compareAll()
    let counts = try #require(summary.entities.first { $0.entityName == "TagEntity" }).counts
    #expect(counts.added == 1 && counts.removed == 1 && counts.changed == 0)
  }

  @Test func allRowsAreReadWhereTheSameBytesMayMeanSomethingElse() throws {
    #expect(try count() != nil)
    var options = ComparisonOptions()
    options.naturalKeys = [NaturalKey(entityName: "TagEntity", keyPaths: ["name"])]
    #expect(try count(options) == nil)
    options = ComparisonOptions()
    options.entityNames = ["TagEntity"]
    #expect(try count(options) == nil)
    try edit("CREATE TABLE Other (a)")
    #expect(try count() == nil)
  }
}
