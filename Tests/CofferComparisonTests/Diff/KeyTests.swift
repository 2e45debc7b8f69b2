internal import CoreDataArchive
internal import CoreDataStore
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferComparison

/// The keys for matching rows.
@Suite struct KeyTests {
  @Test(
    arguments: [
      ("CREATE TABLE t (a INTEGER PRIMARY KEY, b)", ["a"]),
      ("CREATE TABLE t (b, a INTEGER NOT NULL primary key DESC)", ["a"]),
      ("CREATE TABLE t (a, b, PRIMARY KEY (b, a))", ["b", "a"]),
      ("CREATE TABLE t (a, b, CONSTRAINT \"x\" PRIMARY KEY(b COLLATE NOCASE DESC,a))", ["b", "a"]),
      (
        "CREATE TABLE t (\"a \"\"b\", [c d] TEXT, `e`, PRIMARY KEY (\"a \"\"b\", [c d], `e`))",
        ["a \"b", "c d", "e"]
      ),
      ("CREATE TABLE t (a DECIMAL(10, 2) DEFAULT ('PRIMARY KEY'), b)", []),
      ("CREATE TABLE t (\"PRIMARY\" KEY, b)", []),
      ("CREATE TABLE t (a CHECK (a IN (1, 2)), b TEXT PRIMARY KEY) WITHOUT ROWID", ["b"]),
      ("CREATE TABLE t AS SELECT 1", []),
      ("", []), ("(", []), (")))", []), ("CREATE TABLE t (a PRIMARY KEY", ["a"]), ("(\"", []),
      ("(,PRIMARY KEY", []),
    ] as [(String, [String])])
  func primaryKeyIsFoundInTheText(_ sql: String, _ columns: [String]) {
    #expect(PrimaryKeyClause.columns(ofTable: sql) == columns)
  }

  /// The statement's own view of the sample's tables is that of SQLite.
  @Test func primaryKeysOfTheSampleAreTheOnesOfSQLite() throws {
    let samples = try SampleSources()
    let store = try PersistentStore(readingFrom: samples.sample)
    #expect(store.catalog.tables.count > 10)
    for table in store.catalog.tables {
      let expected = table.columns.filter { $0.primaryKeyPosition > 0 }
        .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }.map(\.name)
      #expect(PrimaryKeyClause.columns(ofTable: table.sql) == expected, "\(table.name)")
    }
  }

  @Test func keysAscendAsInSQLite() {
    let ascending: [KeyValue] = [
      .null, .real(-.infinity), .integer(.min), .integer(-1), .real(-0.5), .integer(0), .real(0.5),
      .integer(1), .integer(.max), .real(.infinity), .text([]), .text([65]), .text([65, 0]),
      .text([66]), .other([1]), .other([2]),
    ]
    for (left, first) in ascending.enumerated() {
      for (right, second) in ascending.enumerated() {
        #expect((first < second) == (left < right), "\(first) \(second)")
      }
    }
  }
}
