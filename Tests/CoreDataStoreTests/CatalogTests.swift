internal import CoreDataStore
internal import TestSupport
internal import Testing

/// What a schema declares.
@Suite struct CatalogTests {
  private func catalog(_ statements: [String]) throws -> SchemaCatalog {
    try withDatabase(statements) { try SchemaCatalog($0) }
  }

  @Test func everythingIsListedInTheOrderOfCreation() throws {
    let catalog = try catalog([
      "CREATE TABLE b (x INTEGER PRIMARY KEY, y VARCHAR(9) UNIQUE, \"z \"\"z\" AS (x) STORED)",
      "CREATE VIEW v AS SELECT 1", "CREATE INDEX i ON b (y)", "CREATE TABLE A (q)",
      "CREATE TRIGGER t AFTER INSERT ON b BEGIN SELECT 1; END",
    ])
    #expect(catalog.tables.map(\.name) == ["b", "A"])
    let columns = try #require(catalog.tables.first?.columns)
    #expect(columns.map(\.name) == ["x", "y", "z \"z"])
    #expect(columns.map(\.declaredType) == ["INTEGER", "VARCHAR(9)", ""])
    #expect(columns.map(\.primaryKeyPosition) == [1, 0, 0])
    #expect(columns.map(\.isGenerated) == [false, false, true])
    #expect(columns.map(\.isHidden) == [false, false, false])
    #expect(catalog.indexes.map(\.name) == ["sqlite_autoindex_b_1", "i"])
    #expect(catalog.indexes.map(\.sql) == [nil, "CREATE INDEX i ON b (y)"])
    #expect(catalog.indexes.map(\.tableName) == ["b", "b"])
    #expect(catalog.views.map(\.name) == ["v"])
    #expect(catalog.views.map(\.sql) == ["CREATE VIEW v AS SELECT 1"])
    #expect(catalog.triggers.map(\.name) == ["t"])
    #expect(catalog.triggers.map(\.tableName) == ["b"])
    #expect(catalog.table("a")?.name == "A")
    #expect(catalog.table("v") == nil)
  }

  @Test(arguments: [
    ("a INTEGER PRIMARY KEY", "a"), ("a, b integer, PRIMARY KEY (B)", "b"),
    ("a INTEGER PRIMARY KEY DESC", nil), ("a INT PRIMARY KEY", nil), ("a", nil),
    ("a INTEGER, b, PRIMARY KEY (a, b)", nil), ("a INTEGER UNIQUE", nil),
    ("a INTEGER PRIMARY KEY AUTOINCREMENT, b UNIQUE", "a"),
  ])
  func theRowIDAliasIsFound(columns: String, alias: String?) throws {
    let table = try #require(try catalog(["CREATE TABLE t (\(columns))"]).table("t"))
    #expect(table.rowIDAlias == alias)
    #expect(!table.isWithoutRowID)
  }

  @Test func aTableWithoutRowIDHasNoAlias() throws {
    let table = try #require(
      try catalog(["CREATE TABLE t (a INTEGER PRIMARY KEY) WITHOUT ROWID"]).table("T"))
    #expect(table.isWithoutRowID)
    #expect(table.rowIDAlias == nil)
  }

  @Test func factsOfTheDatabaseAreRead() throws {
    let catalog = try catalog([
      "PRAGMA page_size=2048", "PRAGMA encoding='UTF-16le'", "PRAGMA auto_vacuum=2",
      "PRAGMA user_version=-3", "PRAGMA application_id=77", "CREATE TABLE t (a)",
    ])
    #expect(catalog.pageSize == 2048)
    #expect(catalog.encoding == "UTF-16le")
    #expect(catalog.autoVacuum == 2)
    #expect(catalog.userVersion == -3)
    #expect(catalog.applicationID == 77)
  }

  @Test(arguments: ["a\"b", "a\nb", "😀", "", " ", "'", "]", "a;--", "/*", "select"])
  func namesMayHoldAnything(name: String) throws {
    let quoted = quotedIdentifier(name)
    let catalog = try catalog(["CREATE TABLE \(quoted) (\(quoted), b)"])
    let table = try #require(catalog.table(name))
    #expect(table.name == name)
    #expect(table.columns.map(\.name) == [name, "b"])
  }

  @Test func namesCompareAsSQLiteComparesThem() {
    #expect(SchemaName("Zab_1") == SchemaName("zAB_1"))
    #expect(SchemaName("Ä") != SchemaName("ä"))
    #expect(SchemaName("\u{E9}") != SchemaName("e\u{301}"))
    #expect(SchemaName("[") != SchemaName("{"))
  }

  @Test(arguments: [
    "CREATE VIRTUAL TABLE \"USING \"\" x\" USING rtree(id, a, b)",
    "CREATE VIRTUAL TABLE x /* USING */ USING -- fts4\n rtree (id, a, b)",
    "create virtual table [x]using\"rtree\"(id, a, b)",
  ])
  func theModuleOfAVirtualTableIsReadFromItsText(statement: String) throws {
    let catalog = try catalog([statement])
    #expect(catalog.tables.first?.kind == .virtual(module: "rtree"))
    let shadows = catalog.tables.dropFirst().map(\.kind)
    let owner = try #require(catalog.tables.first?.name)
    #expect(shadows == Array(repeating: .shadow(of: owner), count: 3))
  }

  @Test func aTableThatMerelySpeaksOfVirtualTablesIsOrdinary() throws {
    let catalog = try catalog(["CREATE TABLE \"VIRTUAL\" (\"TABLE x USING y\")"])
    #expect(catalog.tables.map(\.kind) == [.ordinary])
  }

  @Test func anUnknownModuleDoesNoHarm() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("store")
    let writer = try SQLiteConnection(path: path, access: .writing)
    try writer.use { database in
      try database.run("CREATE TABLE words_content (a)")
      try database.run("CREATE TABLE near (a)")
      try database.run("PRAGMA writable_schema=ON")
      try database.run(
        "INSERT INTO sqlite_master VALUES ('table', 'near_words', 'near_words', 0,"
          + " 'CREATE VIRTUAL TABLE near_words USING unheard(a)')")
    }
    try writer.close()
    let reader = try SQLiteConnection(path: path, access: .reading)
    let catalog = try reader.use { try SchemaCatalog($0) }
    let table = try #require(catalog.table("near_words"))
    #expect(table.kind == .virtual(module: "unheard"))
    #expect(table.columns == [])
    #expect(catalog.table("words_content")?.kind == .ordinary)
  }
}
