internal import TestSupport

/// Archives with valid parts that contradict each other, so that SQLite would not take them.
extension HostileArchive {
  /// Rows and definitions that contradict each other.
  static let contents: [HostileArchive] = doubledRows + brokenRules + impossibleDefinitions

  private static func line(_ members: String) -> String { "{\"$pk\":900,\"$opt\":1\(members)}" }

  private static let doubledRows: [HostileArchive] =
    [
      "store/Z_METADATA/00000.ndjson", "store/Z_PRIMARYKEY/00000.ndjson",
      "relationships/TodoEntity.tags/00000.ndjson", "system/ACHANGE/00000.ndjson",
      "system/ATRANSACTION/00000.ndjson", tags,
    ].map { entry in
      HostileArchive("the first line of \(entry) twice", "damaged-archive", entry) { archive in
        try archive.changeLines(of: entry) { lines in lines.insert(lines[0], at: 1) }
      }
    } + [
      HostileArchive("a second row of metadata", "damaged-archive", "line 2") { archive in
        try archive.changeLines(of: "store/Z_METADATA/00000.ndjson") { lines in
          lines.append(
            "{"
              + lines[0].split(separator: ",").filter { $0.contains("Z_VERSION") }.joined()
              .replacing("{", with: "").replacing("}", with: "") + "}")
        }
      },
      HostileArchive("an object twice", "damaged-archive", "TagEntity/p1") { archive in
        try archive.changeLines(of: tags) { $0.append($0[0]) }
      },
    ]

  private static let brokenRules: [HostileArchive] = [
    rule("INTEGER NOT NULL", line("")),
    rule("INTEGER CHECK (ZCOLOR < 9000000000)", line(",\"color\":9000000001")),
    rule("INTEGER UNIQUE", line(",\"color\":0")),
    HostileArchive(
      "a unique index that fails", "damaged-archive", "index EVIL", in: schema, "\"statements\": [",
      "\"statements\": [" + definition("index", "CREATE UNIQUE INDEX EVIL ON ZTAGENTITY (Z_OPT)")),
  ]

  /// A column with a rule that a line breaks.
  private static func rule(_ rule: String, _ line: String) -> HostileArchive {
    HostileArchive("ZCOLOR \(rule)", "damaged-archive", "TagEntity/p900") { archive in
      try archive.changeText(of: schema) {
        $0 = $0.replacing("ZCOLOR INTEGER", with: "ZCOLOR \(rule)")
      }
      try archive.changeLines(of: tags) { $0.append(line) }
    }
  }

  private static let impossibleDefinitions: [HostileArchive] =
    [
      ("index", "CREATE INDEX EVIL ON ZTAGENTITY (ZNONE)"),
      (
        "index",
        "CREATE INDEX EVIL ON ZTAGENTITY (\(String(repeating: "(", count: 300))ZNAME"
          + "\(String(repeating: ")", count: 300)))"
      ),
      (
        "table",
        "CREATE TABLE EVIL (\((0..<3000).map { "C\($0)" }.joined(separator: ", ")))"
      ),
      ("table", "CREATE TABLE EVIL (a, a)"), ("table", "CREATE TABLE EVIL (a BLOB) STRICT, STRICT"),
      (
        "trigger",
        "CREATE TRIGGER EVIL INSTEAD OF INSERT ON ZTAGENTITY BEGIN SELECT 1; END"
      ),
      ("trigger", "CREATE TRIGGER EVIL AFTER INSERT ON ZTAGENTITY BEGIN SELECT (; END"),
      ("view", "CREATE VIEW EVIL AS SELECT"),
    ].map { kind, sql in
      let isRefused = sql.contains("STRICT")
      return HostileArchive(
        String(sql.prefix(80)), isRefused ? "refused" : "damaged-archive", "", in: schema,
        "\"statements\": [", "\"statements\": [" + definition(kind, sql))
    } + [
      statement("index", "CREATE INDEX EVIL ON ZTAGENTITY (none_such(ZNAME))"),
      statement("index", "CREATE INDEX EVIL ON ZTAGENTITY (ZNAME COLLATE none_such)"),
      statement("index", "CREATE INDEX EVIL ON ZTAGENTITY (instr(ZNAME, ZNAME))"),
      HostileArchive("no column for counters", "damaged-archive", layout) { archive in
        for entry in [schema, layout] {
          try archive.changeText(of: entry) { $0 = $0.replacing("Z_MAX", with: "Z_MIN") }
        }
        try archive.changeText(of: "store/Z_PRIMARYKEY/00000.ndjson") {
          $0 = $0.replacing("Z_MAX", with: "Z_MIN")
        }
      },
      HostileArchive(
        "a table twice by case", "damaged-archive", "statements", in: schema,
        "\"statements\": [",
        "\"statements\": [" + member("table", "CREATE TABLE ztagentity (a)", "ztagentity")),
    ]

  /// A member of the schema's list.
  private static func definition(_ kind: String, _ sql: String) -> String {
    let table = sql.contains(" ON ZTAGENTITY") ? "ZTAGENTITY" : "EVIL"
    return "{\"kind\":\"\(kind)\",\"name\":\"EVIL\",\"table\":\"\(table)\",\"text\":\"\(sql)\"},"
  }
}
