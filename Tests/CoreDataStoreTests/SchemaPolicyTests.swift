internal import CoreDataModel
internal import CoreDataStore
internal import TestSupport
internal import Testing

/// A schema may contain the statements of stores, and nothing that does more.
@Suite struct SchemaPolicyTests {
  /// The objection to a statement in a schema with the tables A, B and the view V.
  static func objection(
    _ sql: String, _ kind: SchemaStatement.Kind = .table, name: String = "X"
  ) -> String? {
    let others = ["A", "B"].map {
      SchemaStatement(kind: .table, name: $0, tableName: $0, sql: "CREATE TABLE \($0) (a, b)")
    }
    let view = SchemaStatement(
      kind: .view, name: "V", tableName: "V", sql: "CREATE VIEW V AS SELECT * FROM A")
    let statement = SchemaStatement(kind: kind, name: name, tableName: name, sql: sql)
    return SchemaPolicy(others + [view, statement]).objection(to: statement)
  }

  /// What is computed for every row takes time by its size.
  @Test(arguments: [
    "instr(a, a)", "replace(a, 'a', a)", "hex(a)", "trim(a, a)", "printf('%s', a)", "a LIKE '%a%'",
    "a GLOB '*a*'", "like('%a%', a)", "a NOT LIKE '%a'", "zeroblob(a)", "randomblob(a)",
    String(repeating: "a + ", count: 600) + "a",
  ])
  func tablesAndIndexesComputeNothingLong(_ expression: String) {
    #expect(Self.objection("CREATE TABLE X (a, b AS (\(expression)))") != nil)
    #expect(Self.objection("CREATE TABLE X (a CHECK (\(expression)))") != nil)
    #expect(Self.objection("CREATE INDEX X ON A (b, \(expression))", .index) != nil)
    #expect(Self.objection("CREATE INDEX X ON A (b) WHERE \(expression)", .index) != nil)
  }

  @Test(arguments: ["like", "LIKE", "glob"]) func aColumnMayHaveTheNameOfAnOperator(_ name: String)
  {
    #expect(Self.objection("CREATE INDEX X ON A (\(name), b)", .index) == nil)
  }

  @Test func onlyCollationsOfSQLiteAreUsed() {
    for name in ["BINARY", "nocase", "\"RTRIM\""] {
      #expect(Self.objection("CREATE INDEX X ON A (a COLLATE \(name))", .index) == nil)
    }
    let objection = Self.objection("CREATE TABLE X (a VARCHAR COLLATE of_the_app)")
    #expect(objection == "uses the collation of_the_app, which SQLite does not provide")
  }

  @Test(arguments: [
    "CREATE TABLE X (a)", "CREATE TABLE X(a,b)", "CREATE TABLE \"X\" (\"a (b)\" TEXT)",
    "CREATE TABLE X ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNAME VARCHAR, ZD TIMESTAMP )",
    "CREATE TABLE X (a INTEGER PRIMARY KEY AUTOINCREMENT, b DECIMAL(10, -5) NOT NULL)",
    "CREATE TABLE X (a DEFAULT 7, b DEFAULT -1.5, c DEFAULT 'a;b', d DEFAULT CURRENT_TIMESTAMP)",
    "CREATE TABLE X (a DEFAULT (lower('A')), b CHECK (length(b) > 3), c COLLATE NOCASE)",
    "CREATE TABLE X (a, b AS (a || 'x') VIRTUAL, c GENERATED ALWAYS AS (abs(a)) STORED)",
    "CREATE TABLE X (a REFERENCES A (a) ON DELETE CASCADE ON UPDATE SET NULL, UNIQUE (a))",
    "CREATE TABLE X (a, b, CONSTRAINT k PRIMARY KEY (a, b), FOREIGN KEY (b) REFERENCES B (b))",
    "CREATE TABLE X (a, PRIMARY KEY (a)) WITHOUT ROWID", "CREATE TABLE X (a INT) STRICT",
    "CREATE TABLE X (a UNSIGNED BIG INT, [b c] 'odd type', `d`, CHECK (CAST(a AS INT(3)) IN (1, 2)))",
    "CREATE TABLE X (a /* ; */, b) -- ; DROP TABLE A",
    "CREATE TABLE X (attach, pragma, \"vacuum\", \"load_extension\")",
  ]) func tablesOfValuesAreAllowed(_ sql: String) {
    #expect(Self.objection(sql) == nil)
  }

  @Test(arguments: [
    ("CREATE TABLE X AS SELECT * FROM A", "query"),
    ("CREATE TABLE X (a); DROP TABLE A", "more than one statement"),
    ("CREATE TABLE X (a);", "more than one statement"),
    ("CREATE TEMP TABLE X (a)", "does not create a table"),
    ("ATTACH 'x' AS y", "does not begin with CREATE"),
    ("PRAGMA writable_schema = ON", "does not begin with CREATE"),
    ("CREATE TABLE X (a DEFAULT (load_extension('x')))", "load_extension"),
    ("CREATE TABLE X (a CHECK (\"load_extension\" ('x')))", "load_extension"),
    ("CREATE TABLE X (a CHECK (a = [fts3_tokenizer](a)))", "fts3_tokenizer"),
    ("CREATE TABLE X (a, b AS (randomblob(1000000000)))", "randomblob"),
    ("CREATE TABLE X (a CHECK (key(a)))", "calls the function key"),
    ("CREATE TABLE X (a CHECK (a IN sqlite_master))", "sqlite_master"),
    ("CREATE TABLE X (a CHECK (a REGEXP 'x'))", "REGEXP"),
    ("CREATE TABLE X (a CHECK (EXISTS (SELECT 1 FROM pragma_table_list)))", "pragma_table_list"),
    ("CREATE TABLE X (a VARCHAR(readfile('x')))", "type"),
    ("CREATE TABLE X (a) WITHOUT ROWID AS SELECT 1", "after its columns"),
    ("CREATE VIRTUAL TABLE X USING csv(filename='/etc/passwd')", "does not create a table"),
    ("CREATE TABLE X (a\u{0})", "NUL"),
    ("CREATE TABLE X", "does not create a table"), ("", "CREATE"),
  ]) func otherTablesAreRefused(_ sql: String, _ part: String) throws {
    let objection = try #require(Self.objection(sql))
    #expect(objection.contains(part))
  }

  @Test(arguments: [
    "CREATE INDEX X ON A (a)", "CREATE UNIQUE INDEX X ON A (a COLLATE NOCASE DESC, b ASC)",
    "CREATE INDEX X ON A (lower(a), b + 1) WHERE b IS NOT NULL AND abs(b) > 3",
    "CREATE INDEX X ON \"A\" (a) WHERE a BETWEEN 1 AND 2",
  ]) func indexesOfColumnsAreAllowed(_ sql: String) {
    #expect(Self.objection(sql, .index) == nil)
  }

  @Test(arguments: [
    ("CREATE INDEX X ON C (a)", "the table C"), ("CREATE INDEX X ON sqlite_master (a)", "sqlite_"),
    ("CREATE INDEX X ON A (a); DELETE FROM A", "more than one"),
    ("CREATE INDEX X ON A (load_extension(a))", "load_extension"),
    ("CREATE INDEX X ON A (a) WHERE evil (a)", "evil"), ("CREATE TABLE X (a)", "an index"),
  ]) func otherIndexesAreRefused(_ sql: String, _ part: String) throws {
    #expect(try #require(Self.objection(sql, .index)).contains(part))
  }

  @Test(arguments: [
    "CREATE VIEW X AS SELECT a, count(*) FROM A GROUP BY a HAVING count(*) > 1 ORDER BY a, b",
    "CREATE VIEW X (p, q) AS SELECT A.a, V.b FROM A, V WHERE A.a = V.a",
    "CREATE VIEW X AS SELECT * FROM A LEFT JOIN main.B ON (A.a = B.a), V AS w, (SELECT 1), (A, B)",
    "CREATE VIEW X AS WITH c (n) AS (SELECT 1), d AS MATERIALIZED (SELECT 2) SELECT * FROM c, d",
    "CREATE VIEW X AS SELECT a IS NOT DISTINCT FROM b, rank() OVER (PARTITION BY (a)) FROM A",
    "CREATE VIEW X AS SELECT 1 UNION ALL SELECT 'sqlite_master; DROP' FROM B WHERE a IN V",
    "CREATE VIEW X AS VALUES (1, 2), (3, 4)",
  ]) func viewsOfTheStoreAreAllowed(_ sql: String) {
    #expect(Self.objection(sql, .view) == nil)
  }

  @Test(arguments: [
    ("CREATE VIEW X AS SELECT * FROM sqlite_master", "sqlite_master"),
    ("CREATE VIEW X AS SELECT * FROM 'sqlite_master'", "sqlite_master"),
    ("CREATE VIEW X AS SELECT * FROM main.sqlite_schema", "sqlite_schema"),
    ("CREATE VIEW X AS SELECT * FROM temp.A", "database temp"),
    ("CREATE VIEW X AS SELECT * FROM A, dbstat", "dbstat"),
    (
      "CREATE VIEW X AS SELECT * FROM A JOIN B ON CASE WHEN 1 THEN 2 END, pragma_user_version",
      "pragma"
    ),
    ("CREATE VIEW X AS SELECT * FROM A AS window, sqlite_master", "sqlite_master"),
    ("CREATE VIEW X AS SELECT * FROM (A, (B JOIN fsdir))", "fsdir"),
    ("CREATE VIEW X AS SELECT * FROM A('x')", "table function"),
    ("CREATE VIEW X AS SELECT * FROM A WHERE a IN sqlite_master", "sqlite_master"),
    ("CREATE VIEW X AS SELECT readfile('/etc/passwd')", "readfile"),
    ("CREATE VIEW X AS SELECT left('x', 1)", "left"),
    ("CREATE VIEW X AS WITH sqlite_master AS (SELECT 1) SELECT 1", "sqlite_master"),
    ("CREATE VIEW X AS SELECT 1; ATTACH 'x' AS y", "more than one"),
    ("CREATE VIEW X AS DELETE FROM A", "does not create a view"),
  ]) func otherViewsAreRefused(_ sql: String, _ part: String) throws {
    #expect(try #require(Self.objection(sql, .view)).contains(part))
  }

  @Test(arguments: [
    """
    CREATE TRIGGER X AFTER UPDATE OF a ON A FOR EACH ROW WHEN OLD.a == 1 AND (NEW.a != OLD.a) \
    BEGIN UPDATE B SET b = MAX(0, IFNULL(b, 0) - 1) WHERE OLD.a = b; \
    SELECT NSCoreDataTriggerUpdateAffectedObjectValue('B', a, b, 'b', b) FROM B WHERE a = OLD.a; END
    """,
    "CREATE TRIGGER X INSTEAD OF INSERT ON V BEGIN INSERT OR IGNORE INTO A (a, b) VALUES (1, 2); END",
    "CREATE TRIGGER X BEFORE DELETE ON A BEGIN DELETE FROM B WHERE b IN (SELECT b FROM A); END",
    "CREATE TRIGGER X AFTER INSERT ON A BEGIN SELECT RAISE(ABORT, 'a;b'); UPDATE OR FAIL B SET a=1; END",
    "CREATE TRIGGER X AFTER INSERT ON A BEGIN SELECT CASE WHEN 1 THEN 2 END; REPLACE INTO B SELECT 1; END",
    """
    CREATE TRIGGER X AFTER INSERT ON A BEGIN INSERT INTO B (a) SELECT a FROM A WHERE true \
    ON CONFLICT (a) DO UPDATE SET b = 1; END
    """,
  ]) func triggersOnTheStoreAreAllowed(_ sql: String) {
    #expect(Self.objection(sql, .trigger) == nil)
  }

  @Test(arguments: [
    ("CREATE TRIGGER X AFTER INSERT ON C BEGIN SELECT 1; END", "the table C"),
    (
      "CREATE TRIGGER X AFTER INSERT ON A BEGIN DELETE FROM sqlite_sequence; END", "sqlite_sequence"
    ),
    ("CREATE TRIGGER X AFTER INSERT ON A BEGIN UPDATE other SET a = 1; END", "other"),
    ("CREATE TRIGGER X AFTER INSERT ON A BEGIN UPDATE OR IGNORE other SET a = 1; END", "other"),
    ("CREATE TRIGGER X AFTER INSERT ON A BEGIN INSERT INTO other SELECT 1; END", "other"),
    ("CREATE TRIGGER X AFTER INSERT ON A BEGIN UPDATE A SET a = b FROM other; END", "other"),
    ("CREATE TRIGGER X AFTER INSERT ON A WHEN evil(NEW.a) BEGIN SELECT 1; END", "evil"),
    ("CREATE TRIGGER X AFTER INSERT ON A BEGIN SELECT writefile('x', NEW.a); END", "writefile"),
    ("CREATE TRIGGER X AFTER INSERT ON A BEGIN SELECT 1; ATTACH 'x' AS y; END", "change rows"),
    ("CREATE TRIGGER X AFTER INSERT ON A BEGIN SELECT 1; END; DROP TABLE A", "a trigger"),
    ("CREATE TRIGGER X AFTER INSERT ON A BEGIN SELECT 1; END; DROP TABLE END", "change rows"),
    ("CREATE TEMP TRIGGER X AFTER INSERT ON A BEGIN SELECT 1; END", "a trigger"),
  ]) func otherTriggersAreRefused(_ sql: String, _ part: String) throws {
    #expect(try #require(Self.objection(sql, .trigger)).contains(part))
  }

  @Test(arguments: [
    "CREATE VIRTUAL TABLE X USING RTREE (Z_PK INTEGER PRIMARY KEY, LAT_MIN FLOAT, LAT_MAX FLOAT)",
    "CREATE VIRTUAL TABLE X USING rtree_i32 (id, a, b, +note TEXT)",
    "CREATE VIRTUAL TABLE X USING geopoly(a, b)",
    "CREATE VIRTUAL TABLE X USING fts4 (a, b, tokenize=unicode61 \"remove_diacritics=0\", prefix=\"2,4\")",
    "CREATE VIRTUAL TABLE X USING fts5(a, b UNINDEXED, content='A', content_rowid='a')",
    "CREATE VIRTUAL TABLE X USING fts5 (a, content='', tokenize = 'porter ascii')",
    "CREATE VIRTUAL TABLE X USING fts3",
  ]) func tablesForSearchAreAllowed(_ sql: String) {
    #expect(Self.objection(sql, .virtualTable) == nil)
  }

  @Test(arguments: [
    ("CREATE VIRTUAL TABLE X USING csv (filename='/etc/passwd')", "module csv"),
    ("CREATE VIRTUAL TABLE X USING \"dbstat\" (main)", "module dbstat"),
    ("CREATE VIRTUAL TABLE X USING fts4 (a, content='sqlite_master')", "sqlite_master"),
    ("CREATE VIRTUAL TABLE X USING fts4 (a, compress=evil)", "compress"),
    ("CREATE VIRTUAL TABLE X USING fts5 (a, tokenize='evil')", "evil"),
    ("CREATE VIRTUAL TABLE X USING rtree (id, a, b); DROP TABLE A", "after its arguments"),
    ("CREATE VIRTUAL TABLE X USING rtree (id, evil(a), b)", "not a column"),
    ("CREATE TABLE X (a)", "virtual table"),
  ]) func otherVirtualTablesAreRefused(_ sql: String, _ part: String) throws {
    #expect(try #require(Self.objection(sql, .virtualTable)).contains(part))
  }

  @Test func onlySomeOfSQLitesOwnTablesAreAllowed() {
    for name in ["sqlite_sequence", "sqlite_stat1", "sqlite_stat4"] {
      #expect(Self.objection("CREATE TABLE \(name)(a)", name: name) == nil)
    }
    for name in ["sqlite_master", "sqlite_schema", "SQLITE_x"] {
      #expect(Self.objection("CREATE TABLE \(name)(a)", name: name) != nil)
    }
  }

  @Test(arguments: RealStores.any)
  func realStoresAreAllowed(_ store: RealStore) throws {
    let statements = try withCopy(of: store) { try SchemaCatalog($0).statements }
    #expect(!statements.isEmpty)
    let policy = SchemaPolicy(statements)
    for statement in statements {
      #expect(policy.objection(to: statement) == nil, "\(statement.name)")
    }
  }
}
