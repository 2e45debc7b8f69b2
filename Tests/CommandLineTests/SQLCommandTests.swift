internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct SQLCommandTests {
  @Test func rowsAreWrittenInEachFormat() throws {
    let result = try Sandbox().shell(
      """
      query="SELECT id, arrival, NULL AS none, x'00ff' AS data, 'a|b\\"c<\\\\d' AS text FROM VisitEntity LIMIT 1"
      coffer sql Todo.sqlite "$query"
      coffer sql Todo.sqlite "$query" --format csv | tr '\\r' '$'
      coffer sql Todo.sqlite "$query" --format markdown
      coffer sql Todo.sqlite "$query" --json
      """)
    #expect(result.errorOutput == "")
    #expect(
      result.output == """
        id  arrival                 none  data     text
        1   2025-01-01T09:00:00.0Z  –     2 bytes  a|b"c<\\d
        id,arrival,none,data,text$
        1,2025-01-01T09:00:00.0Z,,AP8=,"a|b""c<\\d"$
        | id | arrival | none | data | text |
        | --- | --- | --- | --- | --- |
        | 1 | 2025-01-01T09:00:00.0Z |  | 2 bytes | a\\|b"c\\<\\\\d |
        {"type":"row","values":{"id":1,"arrival":"2025-01-01T09:00:00.0Z","none":null,"data":"AP8=","text":"a|b\\"c<\\\\d"}}
        {"type":"summary","command":"sql","status":0,"rows":1,"columns":["id","arrival","none","data","text"]}

        """)
  }

  @Test func statementsComeFromStandardInput() throws {
    let result = try Sandbox().shell(
      """
      printf '%s\\n' .tables '.schema TodoEntity.tags' 'SELECT count(*)' ' FROM TagEntity;' \\
        "VALUES (';')" | coffer sql Todo.sqlite
      printf '%s\\n' "SELECT ';' AS a; SELECT 2 AS b; -- ;" .quit | coffer sql Todo.sqlite
      printf '%s\\n' 'SELECT 3 AS c/* ; */;;' '-- end;' | coffer sql Todo.sqlite
      echo 'SELECT 1; SELECT nothing; SELECT 3;' | coffer sql Todo.sqlite 2> error; echo $?
      head -c 30 error
      """)
    #expect(result.output.contains("TagEntity\n"))
    #expect(result.output.contains("TodoEntity.tags\n  source  INTEGER\n  destination  INTEGER\n"))
    #expect(result.output.contains("count(*)\n"))
    #expect(result.output.contains("column1\n;\n"))
    #expect(
      result.output.hasSuffix("\na\n;\nb\n2\nc\n3\n1\n1\n64\nError: Todo.sqlite: invalid qu"),
      "\(result.output)")
  }

  @Test func aQueryEndsAtItsLimits() throws {
    let result = try Sandbox().shell(
      """
      endless='WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT'
      coffer sql Todo.sqlite "$endless i FROM n" --limit 2
      coffer sql Todo.sqlite "$endless i FROM n" --limit 1 --json | tail -n 1
      coffer sql Todo.sqlite "$endless count(*) FROM n" --timeout 0.1; echo $?
      """)
    #expect(result.output.hasPrefix("i\n1\n2\n{"), "\(result.output)")
    #expect(result.output.contains(#""rows":1"#) && result.output.hasSuffix("\n64\n"))
    #expect(result.errorOutput.contains("more than 0.1 s of processor time"))
  }

  /// One call of a function that would take hours, on an archive, with its temporary store.
  @Test func aFunctionThatNeverReturnsEndsAtTheTimeout() throws {
    let result = try Sandbox().shell(
      """
      mkdir tmp; export TMPDIR=$PWD/tmp
      coffer export Todo.sqlite archive > said
      coffer sql archive "SELECT instr(hex(zeroblob(4000000)), hex(zeroblob(2000000)) || '1')" \\
        --timeout 0.1; echo $?; ls -A tmp
      """)
    #expect(result.output == "64\n", "\(result.output)")
    #expect(result.errorOutput.contains("more than 0.1 s of processor time"))
  }

  @Test(arguments: [
    ("SELECT zeroblob(900000000)", "a value or a row has more than 32 MiB"),
    ("SELECT printf('%.*c', 900000000, 'x')", "a value or a row has more than 32 MiB"),
    ("SELECT format('%900000000s', '')", "a value or a row has more than 32 MiB"),
    ("SELECT \((0..<20).map { "hex(zeroblob(16000000 + \($0)))" }.joined(separator: ", "))", ""),
    ("SELECT 1; SELECT 2", "there are several statements"),
  ])
  func whatAQueryMayNotTakeIsSaid(_ query: String, _ detail: String) throws {
    let result = try Sandbox().coffer("sql", "Todo.sqlite", query)
    #expect(result.status == 64)
    #expect(result.errorOutput.contains("invalid query: \(detail)"), "\(result.errorOutput)")
    #expect(!result.errorOutput.contains("Database."))
  }

  @Test(
    arguments: [
      (".help", 0, ".schema [TABLE]  their columns"), (".schema tagentity", 0, "  color  INTEGER"),
      (".schema TagEntiti", 64, "Did you mean 'TagEntity'?"), (".table", 64, "There are .tables"),
    ] as [(String, Int32, String)])
  func commandsBeginWithADot(_ command: String, _ status: Int32, _ text: String) throws {
    let result = try Sandbox().coffer("sql", "Todo.sqlite", command)
    #expect(result.status == status)
    #expect((result.output + result.errorOutput).contains(text), "\(result.errorOutput)")
  }

  @Test func thePrimaryKeyMayHaveAnotherName() throws {
    let result = try Sandbox().shell(
      """
      mkdir M.xcdatamodel
      echo "<model><entity name='Car'/><entity name='Tag'><attribute name='id' \
        attributeType='Integer 16'/></entity></model>" > M.xcdatamodel/contents
      coffer create -q M.xcdatamodel New.sqlite
      coffer sql New.sqlite 'SELECT id FROM Car'
      coffer sql New.sqlite 'SELECT Car.pk, id FROM Car, Tag' > table; echo $?
      """)
    #expect(result.errorOutput.contains("no such column: id\nHint: Did you mean \"pk\"?"))
    #expect(result.output == "0\n", "\(result.errorOutput)")
  }

  @Test func aQueryChangesNothingAndAnArchiveIsAsked() throws {
    let sandbox = try Sandbox()
    let before = sandbox.bytes("Todo.sqlite")
    let result = try sandbox.shell(
      """
      coffer export -q Todo.sqlite a.coffer.tar.gz
      coffer sql a.coffer.tar.gz 'SELECT count(*) AS tags FROM TagEntity'
      coffer sql Todo.sqlite 'DROP TABLE main.ZTAGENTITY' 2> /dev/null; echo $?
      coffer sql Missing.sqlite 'SELECT 1' 2> /dev/null; echo $?
      coffer sql Todo.sqlite 'SELECT 1' --json --format csv 2> /dev/null; echo $?
      """)
    #expect(result.output.hasPrefix("tags\n"))
    #expect(result.output.hasSuffix("\n64\n10\n64\n"), "\(result.output)")
    #expect(sandbox.bytes("Todo.sqlite") == before)
    #expect(try sandbox.added() == ["a.coffer.tar.gz"])
  }
}
