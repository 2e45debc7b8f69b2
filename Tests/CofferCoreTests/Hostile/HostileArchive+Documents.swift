internal import TestSupport

/// Documents that no export writes.
extension HostileArchive {
  private static func deep(_ count: Int) -> String {
    String(repeating: "[", count: count) + String(repeating: "]", count: count)
  }

  private static let names = ["manifest.json", "model.json", schema, layout]

  /// Defects of JSON itself, in each of the documents.
  static let json: [HostileArchive] = names.flatMap { name in
    let limit = "archive-limit"
    return [
      HostileArchive(
        "a million levels in \(name)", limit, "document-depth", in: name, "{",
        "{\"x\":\(deep(1_000_000)),"),
      HostileArchive(
        "a number of a megabyte in \(name)", "damaged-archive", name, in: name, "{",
        "{\"x\":\(String(repeating: "7", count: 1 << 20)),"),
      HostileArchive(
        "a small number of a megabyte in \(name)", "damaged-archive", name, in: name,
        "{", "{\"x\":-\(String(repeating: "7", count: 1 << 20)),"),
      HostileArchive(
        "half a surrogate in \(name)", "damaged-archive", name, in: name, "{",
        "{\"x\":\"\\ud83d\","),
      HostileArchive(
        "a doubled key in \(name)", "damaged-archive", name, in: name, "{",
        "{\"x\":1,\"x\":1,"),
      HostileArchive(
        "a doubled key by escapes in \(name)", "damaged-archive", name, in: name, "{",
        "{\"ab\":1,\"\\u0061b\":1,"),
      HostileArchive("invalid UTF-8 in \(name)", "damaged-archive", name) { archive in
        let position = try archive.position(of: name)
        archive.entries[position].bytes.insert(contentsOf: [0x22, 0xff, 0x22], at: 1)
      },
      HostileArchive("no \(name)", "damaged-archive", name) { try $0.remove(name) },
    ]
  }

  /// Layouts of tables that are not there, or not a store's to fill.
  static let layouts: [HostileArchive] =
    [
      "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_sequence", "sqlite_stat1",
      "pragma_table_list", "dbstat", "NOWHERE", "", "ZTAGENTITY\\\"; DROP TABLE ZTAGENTITY; --",
      "../../x", "main.ZTAGENTITY", "ZPERSONENTITY", "zpersonentity",
      String(repeating: "n", count: 1 << 20),
    ].map { name in
      HostileArchive(
        "the table \(name.prefix(60)) in the layout", "damaged-archive", layout,
        in: layout, "\"table\": \"ZTAGENTITY\"", "\"table\": \"\(name)\"")
    } + [
      HostileArchive(
        "a folder twice", "damaged-archive", layout, in: layout,
        "\"folder\": \"entities/TagEntity\"", "\"folder\": \"entities/PersonEntity\""),
      HostileArchive(
        "an entity with two tables", "damaged-archive", layout, in: layout,
        "\"entity\": \"TagEntity\"", "\"entity\": \"PersonEntity\""),
      HostileArchive(
        "a column twice", "damaged-archive", layout, in: layout,
        "\"name\": \"ZCOLOR\"", "\"name\": \"zname\""),
      HostileArchive(
        "a column that is not there", "damaged-archive", layout, in: layout,
        "\"name\": \"ZCOLOR\"", "\"name\": \"ZCOLOUR\""),
      HostileArchive(
        "a column that is a statement", "damaged-archive", layout, in: layout,
        "\"name\": \"ZCOLOR\"", "\"name\": \"Z\\\") VALUES (1); DROP TABLE ZTAGENTITY; --\""),
      HostileArchive(
        "10,000 columns", "damaged-archive", layout, in: layout, "\"columns\": [",
        "\"columns\": [" + (0..<10_000).map { "{\"name\":\"C\($0)\"}," }.joined()),
      HostileArchive(
        "3,000 entities", "archive-limit", "entities", in: layout, "\"entities\": [",
        "\"entities\": ["
          + (0..<3000).map { "{\"name\":\"E\($0)\",\"number\":\(1000 + $0)}," }.joined()),
      HostileArchive(
        "entities that inherit from each other", "damaged-archive", "", in: layout,
        "\"name\": \"TagEntity\",",
        "\"name\": \"TagEntity\", \"superentity\": \"TagEntity\", \"number\": 1,"),
      HostileArchive(
        "a path of a hundred thousand names", "damaged-archive", layout, in: layout,
        "\"path\": [", "\"path\": [" + String(repeating: "\"x\",", count: 100_000)),
    ]

  /// Schemas with statements that Core Data would never write.
  static let schemas: [HostileArchive] =
    [
      "ATTACH 'x' AS y", "PRAGMA writable_schema = ON", "VACUUM INTO '/tmp/coffer-hostile'",
      "CREATE TABLE EVIL AS SELECT * FROM sqlite_master", "DROP TABLE ZTAGENTITY",
      "CREATE TABLE EVIL (a); ATTACH 'x' AS y", "CREATE TEMP TABLE EVIL (a)",
      "CREATE TABLE EVIL (a DEFAULT (load_extension('x')))",
      "CREATE TABLE EVIL (a CHECK (writefile('/tmp/coffer-hostile', a)))",
    ].map { sql in statement("table", sql) } + [
      statement("view", "CREATE VIEW EVIL AS SELECT readfile('/etc/passwd')"),
      statement("view", "CREATE VIEW EVIL AS SELECT * FROM sqlite_master"),
      statement("index", "CREATE INDEX EVIL ON ZTAGENTITY (load_extension(ZNAME))"),
      statement(
        "trigger",
        "CREATE TRIGGER EVIL AFTER INSERT ON ZTAGENTITY BEGIN SELECT load_extension('x'); END"),
      statement(
        "trigger",
        "CREATE TRIGGER EVIL AFTER INSERT ON ZTAGENTITY BEGIN DELETE FROM sqlite_sequence; END"),
      statement("virtual-table", "CREATE VIRTUAL TABLE EVIL USING csv(filename='/etc/passwd')"),
      statement("virtual-table", "CREATE VIRTUAL TABLE EVIL USING fts4(a, tokenize=evil)"),
      statement("table", "CREATE TABLE sqlite_evil (a)", name: "sqlite_evil"),
      HostileArchive(
        "a kind of statement that there is not", "damaged-archive", "", in: schema,
        "\"kind\": \"table\"", "\"kind\": \"pragma\""),
      HostileArchive(
        "a table under another name", "damaged-archive", "", in: schema,
        "\"name\": \"ZTAGENTITY\"", "\"name\": \"ZOTHER\""),
      HostileArchive(
        "a table twice", "damaged-archive", "", in: schema, "\"statements\": [",
        "\"statements\": [" + member("table", "CREATE TABLE ZTAGENTITY (a)", "ZTAGENTITY")),
      HostileArchive(
        "20,000 tables", "archive-limit", "statements", in: schema, "\"statements\": [",
        "\"statements\": ["
          + (0..<20_000).map { member("table", "CREATE TABLE T\($0) (a)", "T\($0)") }.joined()),
      HostileArchive(
        "a page size of 3", "refused", "", in: schema, "\"pageSize\": 4096",
        "\"pageSize\": 3"),
      HostileArchive(
        "an encoding that is a statement", "refused", "", in: schema,
        "\"encoding\": \"UTF-8\"", "\"encoding\": \"UTF-8'; ATTACH 'x' AS y; --\""),
    ]

  static func member(_ kind: String, _ sql: String, _ name: String) -> String {
    "{\"kind\":\"\(kind)\",\"name\":\"\(name)\",\"table\":\"\(name)\",\"text\":\"\(sql)\"},"
  }

  static func statement(
    _ kind: String, _ sql: String, name: String = "EVIL", _ code: String = "refused"
  ) -> HostileArchive {
    HostileArchive(
      sql, code, "\(kind) \(name)", in: schema, "\"statements\": [",
      "\"statements\": [" + member(kind, sql, name))
  }
}
