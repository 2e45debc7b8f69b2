internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CoreDataPages
@testable internal import CoreDataStore

/// The rows that may differ between two states, by the digests of their pages.
@Suite struct LeafComparisonTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let database: GeneratorDatabase

  init() throws { try self.init(vacuum: "INCREMENTAL") }

  private init(vacuum: String) throws {
    folder = try TemporaryDirectory()
    path = folder.file("Rows.sqlite")
    database = try GeneratorDatabase(path: path)
    try database.run(
      """
      PRAGMA page_size = 1024; PRAGMA auto_vacuum = \(vacuum);
      CREATE TABLE t (k INTEGER PRIMARY KEY, a); CREATE TABLE w (k PRIMARY KEY, a) WITHOUT ROWID;
      CREATE TABLE other (k INTEGER PRIMARY KEY, a); CREATE INDEX i ON t (a);
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t (a) SELECT 'row ' || i FROM n;
      INSERT INTO other SELECT * FROM t WHERE k <= 500; INSERT INTO w SELECT * FROM other;
      UPDATE t SET a = hex(zeroblob(10000)) WHERE k = 700
      """)
  }

  /// What the pages are now, all of which are lent to a closure.
  private func survey<T>(
    _ body: (PageSurvey, DatabasePages) throws -> T
  ) throws -> T {
    let connection = try SQLiteConnection(path: path, access: .reading)
    defer { try? connection.close() }
    let schema = try connection.use { try $0.rows(PageSurvey.schemaStatement) }
    let pages = try #require(try SnapshotPages(DatabaseFiles(main: path), log: .all))
    let found = unsafe try PageSurvey(pages, schema: schema) { bytes in
      unsafe bytes.reduce(into: PageDigest(high: 1, low: 2)) {
        $0.high = ($0.high ^ UInt64($1)) &* 0x100_0000_01b3
        $0.low = ($0.low &+ UInt64($1)) &* 0x9e37_79b9_7f4a_7c15
      }
    }
    return try body(try #require(found), try #require(try pages.single()))
  }

  /// What can have changed after statements; nil for anything.
  private func news(_ statements: String) throws -> [Name: LeafComparison.News]? {
    let before = try survey { survey, _ in survey }
    try database.run(statements)
    return try survey { after, pages in
      try LeafComparison(from: before, to: after, pages)?.news
    }
  }

  /// Requires that some rows of `t` may have changed, and others not.
  private func requireRows(
    _ changed: ClosedRange<Int64>, besides same: [Int64],
    _ news: [Name: LeafComparison.News]?
  ) throws {
    guard case .rows(let ranges)? = try #require(news)["t"] else {
      Issue.record("no rows")
      return
    }
    func contains(_ key: Int64) -> Bool { ranges.contains { $0.contains(key) } }
    #expect(changed.allSatisfy(contains))
    #expect(!same.contains(where: contains))
    #expect(news?["other"] == .nothing)
  }

  @Test func nothingIsNewInAStoreThatStayed() throws {
    let news = try #require(try news("BEGIN; DELETE FROM t; ROLLBACK"))
    #expect(news == ["t": .nothing, "w": .nothing, "other": .nothing])
  }

  @Test func aRowIsOnAFewPages() throws {
    try requireRows(
      2000...2000, besides: [1, 1900, 2100, 5000], news("UPDATE t SET a = 1 WHERE k = 2000"))
    try requireRows(5001...5001, besides: [1, 4800], news("INSERT INTO t VALUES (5001, 1)"))
    try requireRows((-5)...(-5), besides: [400, 5000], news("INSERT INTO t VALUES (-5, 1)"))
  }

  @Test func rowsThatGoAndThatMoveAreFound() throws {
    try requireRows(
      1000...1400, besides: [1, 700, 1700, 5000],
      news("DELETE FROM t WHERE k BETWEEN 1000 AND 1400"))
    try requireRows(
      1000...1400, besides: [1, 700, 1700],
      news("INSERT INTO t SELECT k + 1000, a || 'longer' FROM t WHERE k BETWEEN 0 AND 400"))
    try requireRows(
      3000...3100, besides: [1, 2700, 3400],
      news("UPDATE t SET a = hex(zeroblob(300)) WHERE k BETWEEN 3000 AND 3100"))
  }

  @Test func pagesThatAnotherTableGetsBelongToNoRowOfTheirs() throws {
    let news = try #require(
      try news(
        "DELETE FROM t WHERE k > 4000; INSERT INTO other SELECT k + 1000, a FROM t WHERE k < 700"))
    guard case .rows(let ranges)? = news["other"] else { return #expect(Bool(false)) }
    #expect((1001...1699).allSatisfy { key in ranges.contains { $0.contains(key) } })
    #expect(!ranges.contains { $0.contains(100) })
  }

  @Test(arguments: ["INCREMENTAL", "NONE"])
  func aValueThatChangesOnlyOnOverflowPagesIsFound(_ vacuum: String) throws {
    let tests = try LeafComparisonTests(vacuum: vacuum)
    try tests.database.run("DROP INDEX i")
    try tests.requireRows(
      700...700, besides: [1, 600, 800],
      tests.news("UPDATE t SET a = substr(a, 1, 19999) || '1' WHERE k = 700"))
    try tests.requireRows(
      700...700, besides: [1, 600, 800],
      tests.news("UPDATE t SET a = substr(a, 1, 9000) || '2' || substr(a, 9002) WHERE k = 700"))
  }

  @Test func anIndexMayHaveOverflowPagesOfItsOwn() throws {
    let news = try news("UPDATE t SET a = substr(a, 1, 19999) || '1' WHERE k = 700")
    try requireRows(700...700, besides: [1, 600, 800], news)
  }

  @Test func rowsWithoutNumbersAreAllNewOrNone() throws {
    #expect(try news("UPDATE w SET a = 'new' WHERE k = 7")?["w"] == .anything)
    #expect(try news("INSERT INTO w VALUES (8000, hex(zeroblob(5000)))")?["w"] == .anything)
    let size = "UPDATE w SET a = substr(a, 1, 9999) || '1' WHERE k = 8000"
    #expect(try news(size)?["w"] == .anything)
    #expect(try news("UPDATE other SET a = 2 WHERE k = 3")?["w"] == .nothing)
  }

  @Test func anotherSchemaAndOtherPagesLetAnyRowDiffer() throws {
    #expect(try news("CREATE INDEX more ON other (a)") == nil)
    #expect(try news("ALTER TABLE other ADD COLUMN c DEFAULT 5") == nil)
    #expect(try news("PRAGMA page_size = 2048; VACUUM") == nil)
    try database.run(
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 60000) "
        + "INSERT INTO t (a) SELECT 'row ' || i FROM n")
    #expect(try news("UPDATE t SET a = a || '.'") == nil)
  }

  @Test func aPointerMapThatCannotBeLetsAnyRowDiffer() throws {
    try database.run("DROP INDEX i")
    let before = try survey { survey, _ in survey }
    try database.run("UPDATE t SET a = substr(a, 1, 19999) || '1' WHERE k = 700")
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let page = try survey { after, pages in
      let found = try LeafComparison(from: before, to: after, pages)
      #expect(found != nil)
      let changed = zip(before.digests, after.digests).enumerated().filter { $1.0 != $1.1 }
      return try #require(changed.map { $0.offset + 1 }.last)
    }
    // Each page of the pointer map has the entries of the 204 pages after it.
    let map = (page - 2) / 205 * 205 + 2
    let entry = (map - 1) * 1024 + 5 * (page - map - 1)
    #expect(whole[entry] == 4)
    for kind in [UInt8(0), 6, 0xff] {
      var bytes = whole
      bytes[entry] = kind
      try bytes.write(to: URL(fileURLWithPath: path))
      try survey { after, pages in
        let found = try LeafComparison(from: before, to: after, pages)
        #expect(found == nil, "kind \(kind)")
      }
    }
  }

  @Test func aDamagedTreeTellsNothing() throws {
    let before = try survey { survey, _ in survey }
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let root = try #require(
      try database.integer("SELECT rootpage FROM sqlite_schema WHERE name = 't'"))
    let start = Int(root - 1) * 1024
    for position in [0, 3, 4, 8, 11] {
      var bytes = whole
      bytes[start + position] ^= 0x5f
      try bytes.write(to: URL(fileURLWithPath: path))
      let pages = try #require(try SnapshotPages(DatabaseFiles(main: path), log: .all))
      let single = try #require(try pages.single())
      var after = before
      after.digests[Int(root) - 1].low ^= 1
      let owners = try LeafOwners(single, roots: [Int(root)], followsIndexTrees: true)
      after.tables[0].pages = owners?.trees[0].pages ?? []
      let news = try LeafComparison(from: before, to: after, single)?.news["t"]
      // Fewer leaves are rows that are gone.
      #expect(owners == nil || news == nil || news != .nothing, "byte \(position)")
    }
  }
}
