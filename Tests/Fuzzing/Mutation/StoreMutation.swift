internal import Foundation
package import StoreGenerator

/// Changes a store by statements, so that the database stays one, and page by page.
package enum StoreMutation {
  /// Values that are rare in these places.
  private static let values = [
    "NULL", "-1", "0", "9223372036854775807", "-9223372036854775808", "1e308", "9e999", "-0.0",
    "''",
    "'x'", "x''", "x'00'", "x'02'", "x'01ff'", "zeroblob(70000)", "char(0)", "'../../x'",
    "CAST(x'ff' AS TEXT)", "x'62706c6973743030'", "1.5", "'0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1'",
    "x'0230463145324433432d344235412d343937382d383639352d41344233433244314530463100'",
  ]

  /// Changes a store once; bytes that are no database are an error.
  package static func apply(to bytes: inout [UInt8], _ random: inout SeededGenerator) throws {
    if random.chance(0.4) { return try changePages(&bytes, &random) }
    let path = try FuzzFolder.current().write(bytes, to: "mutated.sqlite")
    for suffix in ["-journal", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    do {
      let database = try GeneratorDatabase(path: path)
      try database.run(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA writable_schema = ON")
      try database.registerCoreDataFunctions()
      try database.run(try statement(database, &random))
    }
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Puts a number or noise into a page, or damages whole pages as a disk does.
  private static func changePages(
    _ bytes: inout [UInt8], _ random: inout SeededGenerator
  ) throws {
    guard bytes.count >= 1024, bytes.starts(with: "SQLite".utf8) else {
      throw BrokenLaw("no store")
    }
    let size = max(512, Int(bytes[16]) << 8 | Int(bytes[17]))
    let pages = max(1, bytes.count / size)
    let page = random.below(pages) * size
    // The header stays: without it, the file is not a database.
    let start = page == 0 ? 100 : page
    let end = min(bytes.count, page + size)
    let other = random.below(pages) * size + start - page
    switch random.below(8) {
    case 0: for place in start..<end { bytes[place] = 0 }
    case 1, 2:
      guard other + end - start <= bytes.count else { return }
      for (place, from) in zip(start..<end, other...) { bytes[place] = bytes[from] }
    case 3:
      guard other + end - start <= bytes.count, other >= size else { return }
      for (place, from) in zip(start..<end, other...) { bytes.swapAt(place, from) }
    default:
      let reach = [12, 64, size][random.below(3)]
      let place = min(bytes.count - 1, page + (page == 0 ? 16 : 0) + random.below(reach))
      bytes[place] = random.chance(0.5) ? UInt8(random.below(256)) : bytes[place] ^ 1
    }
  }

  private static func statement(
    _ database: GeneratorDatabase, _ random: inout SeededGenerator
  ) throws -> String {
    let tables = try texts(database, "SELECT name FROM sqlite_master WHERE type = 'table'")
    guard !tables.isEmpty else { throw BrokenLaw("no table") }
    let table = tables[random.below(tables.count)]
    let columns = try texts(
      database, "SELECT name FROM pragma_table_info('\(table.replacing("'", with: "''"))')")
    let column = columns.isEmpty ? "rowid" : columns[random.below(columns.count)]
    let value = values[random.below(values.count)]
    let quoted = quoted(table)
    let some = "WHERE rowid IN (SELECT rowid FROM \(quoted) ORDER BY random() LIMIT 1)"
      .replacing("random()", with: "(rowid * \(1 + random.below(97))) % 31")
    switch random.below(14) {
    case 12:
      let (old, new) = rewordings[random.below(rewordings.count)]
      return "UPDATE sqlite_master SET sql = replace(sql, '\(old)', '\(new)') "
        + (random.chance(0.5) ? "WHERE tbl_name = '\(table.replacing("'", with: "''"))'" : "")
    case 0: return "DELETE FROM \(quoted) \(some)"
    case 1: return "UPDATE \(quoted) SET \(self.quoted(column)) = \(value)"
    case 2: return "DROP TABLE \(quoted)"
    case 3: return "ALTER TABLE \(quoted) RENAME TO \"\(names[random.below(names.count)])\""
    case 4:
      return
        "ALTER TABLE \(quoted) RENAME COLUMN \(self.quoted(column)) TO "
        + "\"\(names[random.below(names.count)])\""
    case 5: return "ALTER TABLE \(quoted) ADD COLUMN \"\(names[random.below(names.count)])\""
    case 6: return schemaStatements[random.below(schemaStatements.count)]
    case 7:
      return
        "UPDATE sqlite_master SET sql = replace(sql, 'INTEGER', "
        + "'\(["TEXT", "", "INTEGER UNIQUE", "BLOB DEFAULT 1", "INT)"][random.below(5)])') "
        + "WHERE tbl_name = '\(table.replacing("'", with: "''"))'"
    default: return "UPDATE \(quoted) SET \(self.quoted(column)) = \(value) \(some)"
    }
  }

  private static let names = [
    "Z_PK", "Z_ENT", "ZNAME", "a''b", "\u{1F600}", "line\nbreak", "Z_1BOOKS", "Z_METADATA",
    "ACHANGE",
    "ZAUTHOR2", "x\"\"y", "rowid", "Z_FOK_AUTHOR", "select",
  ]

  /// Words of the schema's texts, and their replacements.
  private static let rewordings = [
    ("VARCHAR", "VARCHAR COLLATE none_such"), ("INTEGER", "INTEGER NOT NULL"), ("(", "(none_such("),
    ("VARCHAR", "VARCHAR UNIQUE"), ("CREATE INDEX", "CREATE UNIQUE INDEX"), ("ASC", "DESC"),
    ("PRIMARY KEY", "PRIMARY KEY DESC"), ("PRIMARY KEY", "UNIQUE"), ("PRIMARY KEY", ""),
    ("VARCHAR", "VARCHAR CHECK (0)"), ("Z_OPT INTEGER", "Z_OPT AS (1)"), ("INTEGER", "DECIMAL"),
    ("ON Z", "ON ZZ"), ("CREATE TABLE Z", "CREATE TABLE ZZ"), ("Z_OPT", "Z_OPT, Z_MORE"),
    ("Z_OPT INTEGER", "Z_OPT INTEGER DEFAULT (none_such(1))"), (")", ") WITHOUT ROWID"),
    (")", ") STRICT"), ("BLOB", "BLOB REFERENCES none_such (a)"), ("NEW", "OLD"), ("Z_PK", "Z_KEY"),
    ("CREATE TABLE", "CREATE TEMP TABLE"), ("COLLATE BINARY", "COLLATE NOCASE"),
  ]

  private static let schemaStatements = [
    "CREATE VIEW ZITEM AS SELECT * FROM sqlite_master",
    "DELETE FROM sqlite_master WHERE rowid % 3 = 0",
    "CREATE TABLE g (a, b GENERATED ALWAYS AS (a * 2) VIRTUAL, c AS (abs(a)) STORED)",
    "CREATE TABLE w (a TEXT PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO w VALUES ('x', 1)",
    "CREATE TABLE s (a INT, b ANY) STRICT; INSERT INTO s VALUES (1, x'00')",
    "CREATE INDEX gi ON Z_METADATA (length(Z_UUID))",
    "CREATE TABLE n (a NOT NULL, b CHECK (b > 1), c AS (a || b)); INSERT INTO n VALUES (1, 2)",
    "CREATE TABLE u (a UNIQUE COLLATE NOCASE, b); INSERT INTO u VALUES ('x', 1), ('y', 2), (NULL, 3)",
    "CREATE VIEW lost AS SELECT * FROM none_such; CREATE VIEW z AS SELECT none_such(1)",
    "CREATE TABLE f (a REFERENCES none_such (b)); INSERT INTO f VALUES (1)",
    "CREATE INDEX gp ON Z_METADATA (Z_UUID) WHERE abs(Z_VERSION) > 0",
    "ALTER TABLE Z_PRIMARYKEY RENAME TO Z_NUMBERS; CREATE VIEW Z_PRIMARYKEY AS SELECT 1",
    "DELETE FROM sqlite_master WHERE name LIKE 'Z!_%' ESCAPE '!'",
    "DELETE FROM sqlite_master WHERE type = 'index' AND sql IS NULL",
    "INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE rowid = 2",
    "INSERT INTO sqlite_master SELECT type, lower(name), lower(name), rootpage, lower(sql) "
      + "FROM sqlite_master WHERE type = 'table' AND rowid % 3 = 0",
    "UPDATE sqlite_master SET rootpage = (SELECT max(rootpage) FROM sqlite_master) "
      + "WHERE type = 'table' AND rowid % 4 = 0",
    "UPDATE sqlite_master SET type = 'index' WHERE rowid = 3",
    "UPDATE sqlite_master SET tbl_name = 'Z_METADATA' WHERE rowid % 4 = 1",
    "ANALYZE; UPDATE sqlite_master SET name = 'sqlite_stat3', tbl_name = 'sqlite_stat3' "
      + "WHERE name = 'sqlite_stat1'",
    "CREATE TABLE q (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO q VALUES (7)",
    "CREATE VIRTUAL TABLE fts USING fts5(a); INSERT INTO fts VALUES ('some words')",
    "CREATE VIRTUAL TABLE spots USING rtree(i, a, b); INSERT INTO spots VALUES (1, 2, 3)",
    "CREATE TRIGGER t AFTER INSERT ON Z_METADATA BEGIN DELETE FROM Z_PRIMARYKEY; END",
    "UPDATE sqlite_master SET rootpage = rootpage + 1 WHERE rowid = 2",
    "UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE v USING nothing(a)' WHERE rowid = 3",
    "UPDATE sqlite_master SET name = upper(name)",
    "UPDATE sqlite_master SET sql = NULL WHERE rowid = 1",
    "INSERT INTO Z_PRIMARYKEY VALUES (99, 'Ghost', 98, 5)", "DELETE FROM Z_MODELCACHE",
    "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT", "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Same'",
    "PRAGMA user_version = -5; PRAGMA application_id = 77; PRAGMA encoding = 'UTF-16le'; VACUUM",
    "PRAGMA page_size = 512; PRAGMA auto_vacuum = 0; VACUUM",
  ]

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  private static func texts(_ database: GeneratorDatabase, _ sql: String) throws -> [String] {
    try database.rows(sql).compactMap { row in
      guard case .text(let bytes)? = row.first else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
