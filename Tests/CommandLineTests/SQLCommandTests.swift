internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct SQLCommandTests {
  @Test func rowsAreWrittenInEachFormat() throws {
    let result = try Sandbox().shell(
      """
      query="SELECT id, arrival, NULL AS none, x'00ff' AS data, 'a|b\\"c' AS text FROM VisitEntity LIMIT 1"
      coffer sql Todo.sqlite "$query"
      coffer sql Todo.sqlite "$query" --format csv | tr '\\r' '$'
      coffer sql Todo.sqlite "$query" --format markdown
      coffer sql Todo.sqlite "$query" --json
      """)
    #expect(result.errorOutput == "")
    #expect(
      result.output == """
        id  arrival                 none  data     text
        1   2025-01-01T09:00:00.0Z  –     2 bytes  a|b"c
        id,arrival,none,data,text$
        1,2025-01-01T09:00:00.0Z,,AP8=,"a|b""c"$
        | id | arrival | none | data | text |
        | --- | --- | --- | --- | --- |
        | 1 | 2025-01-01T09:00:00.0Z |  | 2 bytes | a\\|b"c |
        {"type":"row","values":{"id":1,"arrival":"2025-01-01T09:00:00.0Z","none":null,"data":"AP8=","text":"a|b\\"c"}}
        {"type":"summary","command":"sql","status":0,"rows":1,"columns":["id","arrival","none","data","text"]}

        """)
  }

  @Test func statementsComeFromStandardInput() throws {
    let result = try Sandbox().shell(
      """
      printf '%s\\n' .tables '.schema TodoEntity.tags' 'SELECT count(*)' ' FROM TagEntity;' \\
        "VALUES (';')" | coffer sql Todo.sqlite
      echo 'SELECT 1; SELECT nothing; SELECT 3;' | tr ';' '\\n' | sed 's/$/;/' | \\
        coffer sql Todo.sqlite 2> error; echo $?; head -c 30 error
      """)
    #expect(result.output.contains("TagEntity\n"))
    #expect(result.output.contains("TodoEntity.tags\n  source  INTEGER\n  destination  INTEGER\n"))
    #expect(result.output.contains("count(*)\n"))
    #expect(result.output.contains("column1\n;\n"))
    #expect(result.output.hasSuffix("1\n1\n64\nError: Todo.sqlite: invalid qu"), "\(result.output)")
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
