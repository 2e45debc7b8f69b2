internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct ShowCommandTests {
  @Test func anObjectIsShownWithWhatItLeadsTo() throws {
    let result = try Sandbox().coffer("show", "Todo.sqlite", "VisitEntity/p1")
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    #expect(
      result.output == """
        VisitEntity/p1
          arrival    2025-01-01T09:00:00Z
          departure  2025-01-01T10:00:00.25Z

        """)
    let tagged = try Sandbox().coffer("show", "Todo.sqlite", "TodoEntity/p1", "--follow", "tags")
    #expect(tagged.output.contains("  tags          → 3 objects: TagEntity/p1, "))
    #expect(tagged.output.contains("    TagEntity/p1\n      color  0\n      name   home\n"))
    #expect(tagged.output.contains("extra         2 entries\n"))
  }

  @Test func objectsAreSortedAndCounted() throws {
    let result = try Sandbox().shell(
      """
      show="coffer show Todo.sqlite"
      $show VisitEntity --sort -arrival --columns departure,arrival --limit 2
      $show tagentity --count; $show TagEntity --where 'color > 3' --count --json
      $show TagEntity --sort color --sort -name --columns name --limit 3 | grep name
      $show TodoEntity --group-by isDone; $show TodoEntity --group-by isDone --json | tail -n 1
      $show VisitEntity --distinct departure --limit 1
      """)
    let expected = try Sandbox().shell(
      """
      query() { sqlite3 Todo.sqlite "$1"; }
      query 'SELECT count(*) FROM ZTAGENTITY; SELECT count(*) FROM ZTAGENTITY WHERE ZCOLOR > 3'
      query 'SELECT ZNAME FROM ZTAGENTITY ORDER BY ZCOLOR, ZNAME DESC LIMIT 3'
      """
    ).output.split(separator: "\n").map(String.init)
    #expect(result.errorOutput == "")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("VisitEntity/p") && lines[1].hasPrefix("  departure  "))
    #expect(lines[2].hasPrefix("  arrival    ") && lines[3].hasPrefix("VisitEntity/p"))
    #expect(lines[2] > lines[5], "the latest comes first: \(lines[2]), \(lines[5])")
    #expect(result.output.contains("and more; --limit 0 shows all\n\(expected[0])\n"))
    #expect(
      result.output.contains(#""status":0,"objects":\#(expected[1]),"groups":1,"more":false}"#))
    for name in expected[2...] { #expect(result.output.contains("  name  \(name)\n"), "\(name)") }
    #expect(result.output.contains("isDone  objects\nno      "), "\(result.output)")
  }

  /// Integers above 2^53, and dates of years that ISO 8601 lacks.
  @Test func largeIntegersAndFarDatesAreSortedExactly() throws {
    let result = try Sandbox().shell(
      """
      sqlite3 Todo.sqlite "
        UPDATE ZATTACHMENTENTITY SET ZSIZE = 1541815603606036480 - Z_PK % 3;
        UPDATE ZVISITENTITY SET ZARRIVAL = CASE Z_PK % 3 WHEN 0 THEN -7e10 WHEN 1 THEN 3e11 ELSE 5.5 END;"
      coffer show Todo.sqlite AttachmentEntity --sort size --columns size --limit 0 --json \\
        | grep -o 'y/p[0-9]*"' > shown
      coffer show Todo.sqlite VisitEntity --sort arrival --columns arrival --limit 0 --json \\
        | grep -o 'y/p[0-9]*"' >> shown
      sqlite3 Todo.sqlite "
        SELECT 'y/p' || Z_PK || '\\"' FROM ZATTACHMENTENTITY ORDER BY ZSIZE, Z_PK;
        SELECT 'y/p' || Z_PK || '\\"' FROM ZVISITENTITY ORDER BY ZARRIVAL, Z_PK" | diff - shown
      wc -l < shown
      """)
    #expect((Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) > 5)
  }

  @Test(arguments: [("", "-Infinity 2 4 Infinity"), ("-", "Infinity 4 2 -Infinity")])
  func infiniteDatesAreTheFirstAndTheLast(_ sign: String, _ order: String) throws {
    let result = try Sandbox().shell(
      """
      sqlite3 Todo.sqlite "UPDATE ZVISITENTITY SET ZARRIVAL = CASE Z_PK WHEN 1 THEN 9e999
        WHEN 3 THEN -9e999 ELSE Z_PK * 1e15 END"
      coffer show Todo.sqlite VisitEntity --sort \(sign)arrival --columns arrival \
        | sed -n 's/000000000000000//; s/^  arrival *//p' | xargs
      coffer show Todo.sqlite VisitEntity --sort \(sign)arrival --columns arrival --json \
        | sed -n 's/.*"arrival":"*\\([-0-9a-zA-Z]*\\).*/\\1/; s/000000000000000//p; /Inf/p' | xargs
      """)
    #expect(result.output == "\(order)\n\(order)\n", "\(result.errorOutput)")
  }

  /// The names have two tags that differ only in how an accent is composed.
  @Test func groupsDifferWhereBytesDiffer() throws {
    let lines = try Sandbox().shell(
      """
      coffer show Todo.sqlite TagEntity --group-by name --json | grep -c '"objects":1'
      coffer show Todo.sqlite TagEntity --distinct name --json | grep -c '"values"'
      sqlite3 Todo.sqlite 'SELECT count(DISTINCT ZNAME) FROM ZTAGENTITY'
      """
    ).output.split(separator: "\n")
    #expect(lines.count == 3 && Set(lines).count == 1, "\(lines)")
  }

  @Test func destinationsOfToManyRelationshipsAreCounted() throws {
    let result = try Sandbox().shell(
      """
      coffer show Todo.sqlite TodoEntity/p1 | grep -E 'tags|assignees'
      coffer show Todo.sqlite TodoEntity/p1 --json | head -n 1
      coffer show Todo.sqlite TodoEntity --sort -tags.@count --columns tags --limit 1 --json | head -n 1
      coffer show Todo.sqlite TodoEntity --group-by tags.@count
      coffer export -q Todo.sqlite t.tgz
      coffer show t.tgz TodoEntity/p1 --columns tags.@count
      coffer show t.tgz TodoEntity/p1 | grep -c tags
      sqlite3 Todo.sqlite 'DROP INDEX Z_4TAGS_Z_9TAGS_INDEX' 2> /dev/null
      coffer show Todo.sqlite TagEntity --columns todos --limit 1 --json | head -n 1
      sqlite3 Todo.sqlite "SELECT 'todos ' || count(*) FROM Z_4TAGS WHERE Z_9TAGS = 1"
      """)
    let output = result.output
    #expect(result.errorOutput == "")
    #expect(
      output.hasPrefix("  assignees     → 2 objects\n  tags          → 3 objects\n"), "\(output)")
    #expect(output.contains(#""counts":{"assignees":2,"attachments":"#), "\(output)")
    #expect(output.contains(#""relationships":{},"counts":{"tags":4}}"#), "\(output)")
    #expect(output.contains("\n3            "), "\(output)")
    #expect(output.contains("TodoEntity/p1\n  tags  → 3 objects\n0\n"), "\(output)")
    let todos = output.split(separator: "\n").last?.split(separator: " ").last ?? ""
    #expect(output.contains("\"counts\":{\"todos\":\(todos)}"), "\(output)")
  }

  @Test(
    arguments: [
      (["TagEntity/1"], 0, "TagEntity/p1\n"), (["tagENTITY/P1"], 0, "TagEntity/p1\n"),
      (["x-coredata://6B0B4A5C-6C0F-4B7C-9B9E-4D7C0A3D1E55/TagEntity/p1"], 0, "TagEntity/p1\n"),
      (["x-coredata://00000000-6C0F-4B7C-9B9E-4D7C0A3D1E55/TagEntity/p1"], 10, "another store"),
      (["x-coredata:///TagEntity/t1"], 64, "neither an entity"), (["TagEntity/pp1"], 64, "neither"),
      (["TagEntity", "--sort", "nam"], 64, "Did you mean 'name'?"),
      (["TodoEntity", "--group-by", "tags"], 64, "tags.@count is the number"),
      (["TodoEntity", "--columns", "title.@count"], 64, "no to-one relationship title.@count"),
      (["TagEntity", "--count", "--sort", "name"], 64, "cannot be combined"),
    ] as [([String], Int32, String)])
  func anObjectHasSeveralNames(_ arguments: [String], _ status: Int32, _ text: String) throws {
    let result = try Sandbox().run(["show", "Todo.sqlite"] + arguments)
    #expect(result.status == status)
    #expect((result.output + result.errorOutput).contains(text), "\(result.errorOutput)")
  }

  /// Elsewhere nothing would notice that it is of another store.
  @Test func onlyShowTakesAURI() throws {
    let uri = "x-coredata://00000000-6C0F-4B7C-9B9E-4D7C0A3D1E55/TagEntity/p1"
    let sandbox = try Sandbox()
    #expect(
      try sandbox.coffer("anonymize", "Todo.sqlite", "New.sqlite", "--around", uri).status == 64)
    #expect(try sandbox.coffer("history", "Todo.sqlite", uri).status == 64)
    #expect(try sandbox.added() == [])
  }

  @Test func theLimitIsTwentyUnlessItIsGiven() throws {
    let sandbox = try Sandbox()
    let few = try sandbox.coffer("show", "Todo.sqlite", "TagEntity", "--limit", "2")
    #expect(few.output.hasSuffix("\n… and more; --limit 0 shows all\n"))
    #expect(few.output.components(separatedBy: "TagEntity/p").count == 3)
    let all = try sandbox.coffer("show", "Todo.sqlite", "TagEntity", "--limit", "0")
    #expect(!all.output.contains("and more"))
    let limited = try sandbox.shell(
      "coffer export -q Todo.sqlite a.tgz && coffer show a.tgz TagEntity --archive-limit index=0.00001"
    )
    #expect(limited.status == 12)
    #expect(try sandbox.coffer("show", "Todo.sqlite", "TagEntity", "--limit", "-1").status == 64)
    #expect(try sandbox.coffer("show", "Todo.sqlite", "TagEntity", "--limit", "x").status == 64)
  }

  @Test func linesOfJSONHoldTheObjects() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      coffer export -q Todo.sqlite a.tgz
      coffer show a.tgz TodoEntity/p1 --follow tags --json
      """)
    let lines = try result.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(lines.map { $0["type"] as? String } == ["object", "summary"])
    let object = try #require(lines.first)
    #expect(object["object"] as? String == "TodoEntity/p1")
    let attributes = try #require(object["attributes"] as? [String: Any])
    #expect(attributes["isDone"] as? Bool == false)
    #expect(attributes["completedAt"] is NSNull)
    let relationships = try #require(object["relationships"] as? [String: Any])
    #expect(relationships["tags"] as? [String] == ["TagEntity/p1", "TagEntity/p2", "TagEntity/p5"])
    let followed = try #require(object["followed"] as? [String: [[String: Any]]])
    #expect(followed["tags"]?.map { $0["object"] as? String ?? "" }.count == 3)
    #expect(lines.last?["objects"] as? Int == 1)
  }

  @Test func aWrongConstantIsMarked() throws {
    let result = try Sandbox().coffer(
      "show", "Todo.sqlite", "TodoEntity", "--where", "createdAt > 'yesterday'")
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(
      result.errorOutput == """
        Error: Todo.sqlite: invalid condition: 'yesterday' is not a date: it is not in ISO 8601 \
        (character 13 of the condition)
          createdAt > 'yesterday'
                      ^^^^^^^^^^^
        Hint: Example: '2024-05-01' or '2024-05-01T09:30:00Z'

        """)
  }

  @Test(
    arguments: [
      (["Nobody"], 10), (["TagEntity/p999"], 10), (["TagEntity", "--where", "x == 1"], 64),
      (["TagEntity", "--where", "name =="], 64), (["TagEntity", "--follow", "x"], 64),
      (["TagEntity/x"], 64), (["/p1"], 64), (["TagEntity", "--where", "name == 'none'"], 0),
      (["TodoEntity", "--where", "-1 <= priority"], 0),
    ] as [([String], Int32)])
  func everyAnswerHasItsStatus(_ arguments: [String], _ status: Int32) throws {
    let result = try Sandbox().run(["show", "Todo.sqlite"] + arguments)
    #expect(result.status == status, "\(result.errorOutput)")
    #expect((status == 0) == result.errorOutput.isEmpty)
  }
}
