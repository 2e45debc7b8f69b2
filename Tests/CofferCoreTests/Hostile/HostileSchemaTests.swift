internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A deceptive schema: every command ends with a result, a finding or an error, and nothing next to the
/// store is touched.
@Suite struct HostileSchemaTests {
  /// The columns of the tags but the key.
  private static let columns = "Z_ENT INTEGER, Z_OPT INTEGER, ZCOLOR INTEGER, ZNAME VARCHAR"
  private static let key = "Z_PK INTEGER PRIMARY KEY"

  /// Statements that give the table of the tags another definition.
  private static func tags(_ definition: String) -> String {
    """
    CREATE TEMP TABLE x AS SELECT * FROM ZTAGENTITY; DROP TABLE ZTAGENTITY;
    CREATE TABLE ZTAGENTITY (\(definition))
    """
  }

  /// The statements with the rows put back as far as their columns are there.
  private static func tags(_ definition: String, _ names: String) -> String {
    tags(definition) + "; INSERT INTO ZTAGENTITY (\(names)) SELECT \(names) FROM x"
  }

  /// The statements that change the list of the schema.
  private static func listed(_ change: String) -> String {
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET \(change) WHERE name = 'ZTAGENTITY'"
  }

  private func outcome(_ sql: String, isRestored: Bool = true) throws -> HostileOutcome {
    let sample = try SampleCopy(journal: .delete)
    let database = try GeneratorDatabase(path: sample.path)
    try database.registerCoreDataFunctions()
    try database.dropTriggers()
    try database.run(sql)
    return try HostileOutcome(of: sample.path, isRestored: isRestored)
  }

  @Test(arguments: ["ZITEMENTITY", "ZTAGENTITY", "Z_4TAGS", "Z_MODELCACHE", "ACHANGE"])
  func aViewInThePlaceOfATableIsNotRead(_ table: String) throws {
    let found = try outcome(
      """
      ALTER TABLE \(table) RENAME TO X;
      CREATE VIEW \(table) AS WITH RECURSIVE n (Z_PK) AS (SELECT 1 UNION ALL SELECT Z_PK + 1 FROM n)
      SELECT Z_PK, 1 AS Z_ENT, 1 AS Z_OPT, 1 AS Z_CONTENT FROM n
      """)
    #expect(found.isDone, "\(found.results)")
    // Without history there is nothing to miss.
    #expect(table == "ACHANGE" || !found.findings.isEmpty)
  }

  @Test(arguments: ["Z_METADATA", "Z_PRIMARYKEY"])
  func aViewInThePlaceOfTheAdministrationIsNoStore(_ table: String) throws {
    let found = try outcome(
      "ALTER TABLE \(table) RENAME TO X; CREATE VIEW \(table) AS SELECT * FROM X")
    #expect(found.results["export"] == "damaged-store")
    #expect(found.results["verify"] == "done")
    #expect(
      found.findings.contains(table == "Z_METADATA" ? "missing-metadata" : "missing-numbering"))
  }

  @Test func viewsThatMultiplyAreNotRead() throws {
    var sql = "CREATE VIEW v0 AS SELECT 1 AS a"
    for number in 1...12 {
      let part = "SELECT * FROM v\(number - 1)"
      let parts = Array(repeating: part, count: 9).joined(separator: " UNION ALL ")
      sql += "; CREATE VIEW v\(number) AS \(parts)"
    }
    #expect(try outcome(sql).isDone)
  }

  @Test(
    arguments: ["ZTAGENTITY", "ZITEMENTITY", "Z_4TAGS"], ["fts4(Z_PK, Z_ENT)", "none_such(a)"])
  func aVirtualTableInThePlaceOfATableIsNotRead(_ table: String, _ module: String) throws {
    let found = try outcome(
      """
      DROP TABLE \(table); PRAGMA writable_schema = ON; INSERT INTO sqlite_master
      VALUES ('table', '\(table)', '\(table)', 0, 'CREATE VIRTUAL TABLE \(table) USING \(module)')
      """)
    #expect(found.results["export"] == "done" && found.results["verify"] == "done")
    #expect(!found.findings.isEmpty)
  }

  @Test(arguments: [
    ("ZX AS (printf('%.*c', 900000000, 'x'))", true, "damaged-store"),
    ("ZX AS (printf('%.*c', 900000000, 'x')) NOT NULL", false, "damaged-store"),
    // SQLite passes over the conditions of a database that it may not write.
    (
      "CHECK (length(printf('%.*c', 900000000 * (ZCOLOR IS NOT NULL), 'x')) >= 0)", true,
      "damaged-store"
    ),
    ("ZX AS (abs(-9223372036854775808 + 0 * ZCOLOR)) NOT NULL", false, "damaged-store"),
  ])
  func whatASchemaWantsComputedIsNotComputed(
    _ more: String, _ isChecked: Bool, _ exported: String
  ) throws {
    // Filled under a definition that computes nothing.
    let plain = Self.key + ", " + Self.columns
    let found = try outcome(
      Self.tags(plain, "Z_PK, Z_ENT, Z_OPT, ZCOLOR, ZNAME") + "; "
        + Self.listed(
          "sql = 'CREATE TABLE ZTAGENTITY (\(plain), \(more.replacing("'", with: "''")))'"),
      // Rows that are inserted are computed with; which schemas are restored is not asked here.
      isRestored: false)
    #expect(found.results["export"] == exported && found.results["verify"] == "done")
    // A value that is too long is an error to SQLite, or no value at all.
    let isNoticed = !found.findings.isDisjoint(with: ["check-not-run", "sqlite-damage"])
    #expect(isNoticed == !isChecked, "\(found.findings)")
  }

  /// What would take minutes to compute for all rows, or for one with a large value, is tried for a
  /// moment.
  @Test(arguments: [
    "b CHECK (length(hex(zeroblob(500000 + a))) > 0)",
    "b, c NOT NULL AS (instr(b, substr(b, 400000) || '1'))",
  ])
  func whatTakesLongForEveryRowIsNotTriedForAll(_ columns: String) throws {
    let found = try outcome(
      """
      CREATE TABLE t (a, b);
      WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000)
      INSERT INTO t SELECT x, 0 FROM n;
      INSERT INTO t VALUES (0, hex(zeroblob(400000)));
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE TABLE t (a, \(columns
        .replacing("'", with: "''")))' WHERE name = 't'
      """, isRestored: false)
    #expect(found.results["export"] == "done", "\(found.results)")
  }

  @Test func aChainOfColumnsThatDoubleIsNotComputed() throws {
    let chain = (0..<30).map { "g\($0) AS (g\($0 - 1) || g\($0 - 1))" }
    let columns = ["a", "g0 AS ('0123' || a)"] + chain.dropFirst()
    let found = try outcome(
      """
      CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES ('x');
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE TABLE t (\(columns.joined(separator: ", ")
        .replacing("'", with: "''")))' WHERE name = 't';
      UPDATE sqlite_master SET sql = 'CREATE INDEX i ON t (length(g29))' WHERE name = 'i'
      """, isRestored: false)
    #expect(found.results["export"] == "damaged-store" && found.results["verify"] == "done")
    #expect(found.findings.contains("check-not-run"))
  }

  @Test(arguments: [
    ("Z_PK INTEGER PRIMARY KEY DESC, \(columns)", "Z_PK, Z_ENT, Z_OPT, ZCOLOR, ZNAME"),
    ("Z_PK TEXT PRIMARY KEY, \(columns)", "Z_PK, Z_ENT, Z_OPT, ZCOLOR, ZNAME"),
    ("Z_PK INTEGER, \(columns)", "Z_PK, Z_ENT, Z_OPT, ZCOLOR, ZNAME"),
    (columns, "Z_ENT, Z_OPT, ZCOLOR, ZNAME"),
    ("\(key), Z_ENT AS (5), Z_OPT INTEGER, ZCOLOR INTEGER, ZNAME VARCHAR", "Z_PK, Z_OPT, ZNAME"),
    ("\(key), Z_ENT INTEGER, Z_OPT INTEGER, ZCOLOR INTEGER, ZNAME AS (ZCOLOR)", "Z_PK, Z_ENT"),
    ("Z_PK INTEGER PRIMARY KEY CHECK (Z_PK <> 99), \(columns)", "Z_ENT"),
  ])
  func aTableWithAnotherKeyOrColumnsIsCarriedAsItIs(
    _ definition: String, _ names: String
  ) throws {
    let found = try outcome(Self.tags(definition, names))
    #expect(found.results["export"] == "done" && found.results["verify"] == "done")
  }

  @Test func aTableWithoutRowNumbersIsCarriedAsItIs() throws {
    let found = try outcome(
      """
      CREATE TEMP TABLE x AS SELECT * FROM ZTAGENTITY; DROP TABLE ZTAGENTITY;
      CREATE TABLE ZTAGENTITY (\(Self.key), \(Self.columns)) WITHOUT ROWID;
      INSERT INTO ZTAGENTITY (Z_PK, Z_ENT) SELECT Z_PK, Z_ENT FROM x
      """)
    #expect(found.isDone)
    #expect(found.findings.contains("missing-table"))
  }

  @Test(arguments: [
    "rootpage = 0", "rootpage = -1", "rootpage = 4000000000", "rootpage = 'abc'", "rootpage = 1",
    "rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'ZITEMENTITY')",
    "sql = 'CREATE TABLE ZTAGENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZNAME, ZMORE, ZYET)'",
    "sql = NULL", "sql = x'ff00ff'", "sql = 'CREATE TABLE other (a)'",
    "sql = 'DROP TABLE ZITEMENTITY'", "sql = 'CREATE TABLE ZTAGENTITY AS SELECT 1 AS Z_PK'",
    "sql = 'CREATE TABLE ZTAGENTITY (a); ATTACH ''evil'' AS e'",
    "type = 'banana'", "type = 'index'", "type = 'view'", "type = 'trigger'",
    "name = 'ZTAG' || char(0) || 'ENTITY'", "name = NULL", "tbl_name = 'ZITEMENTITY'",
  ])
  func aListThatLiesEndsWithAResult(_ change: String) throws {
    let found = try outcome(Self.listed(change))
    #expect(found.contradictions == [])
    // Either nothing can be read at all, or the check of SQLite or of the schema says something.
    #expect(!found.isDone || !found.findings.isEmpty, "\(found.results)")
  }

  @Test func aCollationThatNobodyHasIsFound() throws {
    let change = "sql = replace(sql, 'ZNAME VARCHAR', 'ZNAME VARCHAR COLLATE none_such')"
    let found = try outcome(Self.listed(change))
    #expect(found.contradictions == [])
    #expect(found.results["export"] == "damaged-store")
    #expect(found.findings.contains("unrestorable-schema"))
  }

  @Test(arguments: [
    "INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE name = 'ZTAGENTITY'",
    """
    INSERT INTO sqlite_master SELECT type, lower(name), lower(name), rootpage,
    'CREATE TABLE ztagentity (Z_PK INTEGER PRIMARY KEY)' FROM sqlite_master WHERE name = 'ZTAGENTITY'
    """,
    """
    INSERT INTO sqlite_master SELECT 'index', 'i', 'ZTAGENTITY', rootpage,
    'CREATE INDEX i ON ZTAGENTITY (none_such(ZNAME)) WHERE none_such(ZNAME)'
    FROM sqlite_master WHERE type = 'index' AND rootpage > 0 LIMIT 1
    """,
  ])
  func rowsAddedToTheListEndWithAResult(_ sql: String) throws {
    let found = try outcome("PRAGMA writable_schema = ON; " + sql)
    #expect(found.contradictions == [])
  }

  @Test func statisticsOfNonsenseAreCarried() throws {
    let found = try outcome(
      """
      ANALYZE; DELETE FROM sqlite_stat1; INSERT INTO sqlite_stat1 VALUES
      ('ZITEMENTITY', 'x', '99999999999999999999999 0 -5 abc'),
      ('ZTAGENTITY', NULL, '9223372036854775807'), (x'ff', x'00', NULL)
      """)
    #expect(found.results["export"] == "done" && found.results["verify"] == "done")
  }
}
