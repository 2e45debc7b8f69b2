internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Everything that a schema can contain in addition to Core Data's parts is restored.
@Suite struct RoundTripSchemaTests {
  /// Statements that add to the sample, each a reason for an import to stumble.
  static let additions: [String] = [
    "CREATE TABLE APP (a, b); INSERT INTO APP VALUES (1, 'x'), (2, NULL)",
    "CREATE TABLE APP (a, b, PRIMARY KEY (b, a)) WITHOUT ROWID; INSERT INTO APP VALUES (1, 'x')",
    """
    CREATE TABLE APP (a); INSERT INTO APP (rowid, a) VALUES (5, 'five'), (-7, 'minus'), \
    (9223372036854775807, 'last')
    """,
    """
    CREATE TABLE APP (a INTEGER PRIMARY KEY AUTOINCREMENT, b);
    INSERT INTO APP (b) VALUES ('x'), ('y'), ('z'); DELETE FROM APP WHERE a = 3
    """,
    """
    CREATE TABLE GONE (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO GONE VALUES (7);
    CREATE TABLE APP (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO APP VALUES (3);
    DROP TABLE GONE
    """,
    "CREATE TABLE APP (a INTEGER PRIMARY KEY DESC, b); INSERT INTO APP VALUES (3, 1), (1, 2)",
    "CREATE TABLE APP (rowid, _rowid_, b); INSERT INTO APP VALUES ('r', 's', 't'), (NULL, 1, 2)",
    "CREATE TABLE APP (rowid, _rowid_, oid, b); "
      + "INSERT INTO APP VALUES ('r', 's', 't', 1), (NULL, 1, 2, zeroblob(2000000))",
    "CREATE TABLE APP (rowid, _rowid_, oid TEXT PRIMARY KEY); "
      + "INSERT INTO APP VALUES (5, 1, 'b'), (5, 2, 'a'), (0, 3, NULL)",
    "CREATE TABLE APP (id INTEGER PRIMARY KEY, rowid, _rowid_, oid BLOB); "
      + "INSERT INTO APP VALUES (7, 3, 3, zeroblob(2000000)), (3, 7, 7, 'x')",
    "CREATE TABLE APP (a TEXT PRIMARY KEY, b); INSERT INTO APP VALUES ('z', 1), (NULL, 2), (NULL, 3)",
    "CREATE TABLE APP (a INT CHECK (a > 0), b NOT NULL DEFAULT 'x', UNIQUE (a, b)); "
      + "INSERT INTO APP (a) VALUES (1), (2)",
    "CREATE TABLE \"a \"\"quoted\"\" 'name'\" (\"col \"\"x\"\"\", [y z], `$v`); "
      + "INSERT INTO \"a \"\"quoted\"\" 'name'\" VALUES (1, 2, 3)",
    "CREATE TABLE \"../x\" (\"../y\", \"a/b\"); INSERT INTO \"../x\" VALUES (1, 2)",
    "CREATE TABLE \"🔥 ß\" (\"é\" COLLATE NOCASE); INSERT INTO \"🔥 ß\" VALUES ('É'), ('é')",
    "create  table app2(a/* comment */,b) -- end\n; INSERT INTO app2 VALUES (1, 2)",
    """
    CREATE TABLE APP (a INT, b AS (a * 2) STORED, c AS (a || 'x') VIRTUAL, d);
    INSERT INTO APP (a, d) VALUES (4, 'd')
    """,
    "CREATE TABLE APP (a INTEGER) STRICT; INSERT INTO APP VALUES (4)",
    """
    CREATE TABLE APP (a REFERENCES PARENT (p) ON DELETE CASCADE); CREATE TABLE PARENT (p);
    INSERT INTO APP VALUES ('nobody')
    """,
    "ANALYZE",
    "CREATE TABLE EMPTY (a); ANALYZE; DELETE FROM sqlite_stat1 WHERE tbl = 'ZTAGENTITY'",
    "ANALYZE; DROP TABLE sqlite_stat1",
    "CREATE VIRTUAL TABLE FTS USING fts4 (a, b, tokenize=unicode61); "
      + "INSERT INTO FTS VALUES ('one two', 'three'), ('four', 'five six')",
    "CREATE VIRTUAL TABLE FTS USING fts5 (a, content=''); "
      + "INSERT INTO FTS (rowid, a) VALUES (1, 'one two'), (7, 'three')",
    "CREATE VIRTUAL TABLE FTS USING fts5 (a, b); INSERT INTO FTS VALUES ('one', 'two')",
    "CREATE VIRTUAL TABLE BOX USING rtree (id, x0, x1, +note); "
      + "INSERT INTO BOX VALUES (1, 0.5, 1.5, 'n'), (9, -3, 4, NULL)",
    "CREATE VIRTUAL TABLE FTS USING fts4 (a); INSERT INTO FTS VALUES ('one'); "
      + "CREATE TABLE LATER (a); CREATE VIRTUAL TABLE BOX USING rtree (id, a, b); "
      + "CREATE TABLE LAST (a); CREATE VIEW SEEN AS SELECT * FROM FTS",
    "CREATE VIEW V AS SELECT ZNAME FROM ZTAGENTITY; CREATE VIEW W AS SELECT * FROM V, ZTAGENTITY",
    "CREATE VIEW V AS SELECT 1 AS a; "
      + "CREATE TRIGGER T INSTEAD OF INSERT ON V BEGIN SELECT abs(NEW.a); END",
    """
    CREATE TRIGGER T AFTER INSERT ON ZTAGENTITY BEGIN
      DELETE FROM ZPERSONENTITY; SELECT RAISE(ABORT, 'no'); SELECT abs(NEW.Z_PK);
    END
    """,
    "CREATE TRIGGER T BEFORE UPDATE OF Z_MAX ON Z_PRIMARYKEY BEGIN SELECT RAISE(ABORT, 'no'); END",
    """
    CREATE UNIQUE INDEX I1 ON ZTAGENTITY (ZNAME COLLATE NOCASE DESC) WHERE ZCOLOR IS NOT NULL;
    CREATE INDEX I2 ON ZTAGENTITY (lower(ZNAME), ZCOLOR + 1)
    """,
    "DROP INDEX ZITEMENTITY_ZPARENT_INDEX; DROP TABLE ZVISITENTITY",
    """
    CREATE TABLE Z (a); INSERT INTO Z SELECT * FROM Z_MODELCACHE; DROP TABLE Z_MODELCACHE;
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE SELECT * FROM Z;
    DROP TABLE Z
    """,
    "ALTER TABLE ZTAGENTITY ADD COLUMN APP DEFAULT 7; UPDATE ZTAGENTITY SET APP = 'x' WHERE Z_PK = 1",
    "ALTER TABLE Z_4TAGS ADD COLUMN APP; UPDATE Z_4TAGS SET APP = 'x' WHERE Z_4TODOS = 1",
    "ALTER TABLE Z_METADATA ADD COLUMN APP; UPDATE Z_METADATA SET APP = x'00'",
    "PRAGMA user_version = -5; PRAGMA application_id = 305419896",
    "PRAGMA user_version = 2147483647; PRAGMA application_id = -2147483648",
  ]

  @Test(arguments: additions) func anAdditionComesBack(_ sql: String) throws {
    let sample = try SampleCopy(changedBy: sql)
    #expect(try RoundTrip(of: sample.path).problems() == [])
  }

  /// Statements that no store of Core Data contains, each with the report of an export.
  static let unusual: [(sql: String, finding: String)] = [
    (
      "CREATE VIEW W AS SELECT * FROM ZTAGENTITY, NOWHERE", "view W: it refers to the table NOWHERE"
    ),
    (
      "CREATE TRIGGER T AFTER INSERT ON ZTAGENTITY BEGIN SELECT app_function(NEW.Z_PK); END",
      "trigger T: it calls the function app_function"
    ),
    (
      "CREATE VIEW W AS SELECT sql FROM sqlite_master",
      "view W: it refers to the table sqlite_master"
    ),
  ]

  @Test(arguments: unusual)
  func whatIsUnusualComesBackWhereItIsTrusted(_ sql: String, _ finding: String) throws {
    let sample = try SampleCopy(changedBy: sql)
    var options = ImportOptions()
    options.trustsSchema = true
    let trip = try RoundTrip(of: sample.path, options: options)
    #expect(try trip.problems() == [])
    #expect(trip.exported.findings.map(\.code) == [.unusualSchema])
    #expect(trip.exported.findings.first?.detail.hasPrefix(finding) == true)
    let other = trip.folder.file("Other.sqlite")
    let error = #expect(throws: CofferError.self) {
      try StoreImporter().import(trip.archive, to: other)
    }
    #expect(error?.code == .refused)
    #expect(error?.advice == [.trustSchema])
    #expect(!FileManager.default.fileExists(atPath: other))
    #expect(try trip.problems() == [])
  }

  @Test(
    arguments: [512, 1024, 2048, 8192, 16384, 32768, 65536],
    [SampleStoreBuilder.Journal.wal, .delete])
  func everyPageSizeComesBack(_ size: Int, _ journal: SampleStoreBuilder.Journal) throws {
    let sample = try SampleCopy(journal: .delete)
    try sample.change(
      "PRAGMA page_size = \(size); VACUUM; PRAGMA journal_mode = \(journal.rawValue)")
    #expect(try SampleCopy.rows(sample.path, "PRAGMA page_size") == [[.integer(Int64(size))]])
    #expect(try RoundTrip(of: sample.path).problems() == [])
  }

  @Test(arguments: [0, 1, 2]) func everyAutoVacuumModeComesBack(_ mode: Int) throws {
    let sample = try SampleCopy(journal: .delete)
    try sample.change("PRAGMA auto_vacuum = \(mode); VACUUM")
    #expect(try SampleCopy.rows(sample.path, "PRAGMA auto_vacuum") == [[.integer(Int64(mode))]])
    #expect(try RoundTrip(of: sample.path).problems() == [])
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"]) func otherEncodingsComeBack(_ encoding: String) throws
  {
    let sample = try SampleCopy()
    let path = sample.folder.file("Wide.sqlite")
    let wide = try GeneratorDatabase(path: path)
    try wide.run("PRAGMA encoding = '\(encoding)'")
    let narrow = try GeneratorDatabase(path: sample.path)
    for row in try narrow.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'") {
      guard case .text(let sql) = row[1], case .text(let text) = row[0] else { continue }
      try wide.run(String(decoding: sql, as: UTF8.self))
      let name = String(decoding: text, as: UTF8.self)
      for values in try narrow.rows("SELECT * FROM \(name)") {
        let marks = values.map { _ in "?" }.joined(separator: ",")
        try wide.run("INSERT INTO \(name) VALUES (\(marks))", values)
      }
    }
    #expect(try SampleCopy.rows(path, "PRAGMA encoding") == [[.string(encoding)]])
    #expect(try RoundTrip(of: path).problems() == [])
  }

  @Test func aCounterThatIsAheadIsKept() throws {
    let sample = try SampleCopy(
      changedBy: "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'TagEntity'")
    let trip = try RoundTrip(of: sample.path)
    #expect(try trip.problems() == [])
    #expect(trip.imported.findings == [])
  }

  @Test(arguments: ["NULL", "0", "1", "-5", "'1'", "x'01'"])
  func aCounterThatLagsIsRaised(_ value: String) throws {
    let sample = try SampleCopy(
      changedBy: """
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(value) WHERE Z_NAME IN ('TagEntity', 'CHANGE')
        """)
    let trip = try RoundTrip(of: sample.path)
    var comparer = StoreComparer()
    comparer.ignoredTables = ["Z_PRIMARYKEY"]
    #expect(try comparer.differences(sample.path, trip.copy) == [])
    #expect(
      trip.imported.findings.map(\.code) == [.primaryKeyCounterRaised, .primaryKeyCounterRaised])
    #expect(trip.imported.findings.map(\.entityName) == ["TagEntity", "CHANGE"])
    #expect(trip.imported.counts[.info] == 2)
    for (table, name) in [("ZTAGENTITY", "TagEntity"), ("ACHANGE", "CHANGE")] {
      #expect(
        try SampleCopy.rows(trip.copy, "SELECT max(Z_PK) FROM \(table)")
          == SampleCopy.rows(trip.copy, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(name)'"))
    }
  }

  /// The highest key of a tree may be that of a sub-entity; the counters below the root stay.
  @Test func countersOfSubentitiesAreKept() throws {
    let sample = try SampleCopy(
      changedBy: "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'TodoEntity'")
    #expect(try RoundTrip(of: sample.path).problems() == [])
  }
}
