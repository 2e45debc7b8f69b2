internal import Foundation
internal import TestSupport
internal import Testing

/// The server of the Model Context Protocol.
@Suite struct MCPCommandTests {
  /// The answers to some requests, by their IDs.
  private static func answers(
    _ requests: [String], _ options: [String] = [], in sandbox: Sandbox
  ) throws -> [Int: [String: Any]] {
    _ = try sandbox.directory.write(
      Array((requests.joined(separator: "\n") + "\n").utf8), to: "requests")
    let result = try sandbox.shell(
      "coffer mcp . \(options.joined(separator: " ")) < requests; echo $? > status; rm requests")
    #expect(sandbox.bytes("status") == Data("0\n".utf8), "\(result.errorOutput)")
    var found: [Int: [String: Any]] = [:]
    for line in result.output.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let answer = try #require(object, "\(line)")
      #expect(answer["jsonrpc"] as? String == "2.0")
      found[answer["id"] as? Int ?? -1] = answer
    }
    return found
  }

  /// A request to call a tool.
  private static func call(_ id: Int, _ tool: String, _ arguments: [String: Any]) throws -> String {
    let request: [String: Any] = [
      "jsonrpc": "2.0", "id": id, "method": "tools/call",
      "params": ["name": tool, "arguments": arguments],
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self)
  }

  /// The text of the answer of a tool, and whether it is an error.
  private static func text(_ answer: [String: Any]?) throws -> (text: String, isError: Bool) {
    let result = try #require(answer?["result"] as? [String: Any])
    let content = try #require(result["content"] as? [[String: Any]])
    return (
      try #require(content.first?["text"] as? String), try #require(result["isError"] as? Bool)
    )
  }

  @Test func messagesOfTheProtocolAreAnswered() throws {
    let answers = try Self.answers(
      [
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":4,"method":"x"}"#,
        "{",
        "", #"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"rm"}}"#,
        #"{"jsonrpc":"2.0","id":6,"method":"tools/list"}"#,
        #"{"jsonrpc":"2.0","id":9,"result":{}}"#, #"{"jsonrpc":"2.0","id":7,"method":3}"#,
      ], in: try Sandbox())
    func version(_ id: Int) -> String? {
      (answers[id]?["result"] as? [String: Any])?["protocolVersion"] as? String
    }
    func code(_ id: Int) -> Int? { (answers[id]?["error"] as? [String: Any])?["code"] as? Int }
    #expect(version(1) == "2025-03-26")
    #expect(version(2) == "2025-06-18")
    #expect(answers[3]?["result"] != nil)
    #expect([code(4), code(-1), code(5)] == [-32601, -32700, -32602])
    #expect(code(7) == -32600)
    #expect(answers[9] == nil && answers.count == 8)
    let tools = (answers[6]?["result"] as? [String: Any])?["tools"] as? [[String: Any]]
    #expect(
      tools?.compactMap { $0["name"] as? String } == [
        "list_stores", "describe_model", "query", "show_object", "sql", "diff", "verify",
        "explain_finding", "history", "list_backups", "check_backups",
      ])
  }

  @Test func batchesAndMessagesThatAreNoneAreAnswered() throws {
    let sandbox = try Sandbox()
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    let notification = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
    let long = #"{"x":"\#(String(repeating: "x", count: 1 << 20))"}"#
    let messages = ["[]", "[\(ping),7]", "[\(notification)]", "{\"a\":", long, ping]
    _ = try sandbox.directory.write(
      Array((messages.joined(separator: "\n") + "\n").utf8), to: "requests")
    let result = try sandbox.shell("coffer mcp . < requests")
    func failure(_ code: Int, _ message: String) -> String {
      #"{"jsonrpc":"2.0","id":null,"error":{"code":\#(code),"message":"\#(message)"}}"#
    }
    let pong = #"{"jsonrpc":"2.0","id":1,"result":{}}"#
    #expect(
      result.output.split(separator: "\n").map(String.init) == [
        failure(-32600, "the batch is empty"),
        "[\(pong),\(failure(-32600, "this is not a request"))]",
        failure(-32700, "unexpected end at byte 7"),
        failure(-32600, "a message has more than 1 MiB"), pong,
      ])
  }

  @Test func whatACallCannotDoDoesNotEndTheServer() throws {
    let answers = try Self.answers(
      [
        Self.call(
          1, "query",
          [
            "file": "Todo.sqlite", "entity": "TagEntity",
            "predicate": Array(repeating: "1", count: 1500).joined(separator: "+") + " == 1",
          ]),
        Self.call(2, "sql", ["file": "Todo.sqlite", "statement": "SELECT zeroblob(900000000)"]),
        Self.call(3, "sql", ["file": "Todo.sqlite", "statement": "SELECT 1"]),
      ], in: try Sandbox())
    #expect(try Self.text(answers[1]).text.hasPrefix("invalid-condition: "))
    #expect(try Self.text(answers[2]).text.contains("more than 32 MiB"))
    #expect(try Self.text(answers[3]).text.contains(#""values":{"1":1}"#))
  }

  @Test func aPingIsAnsweredAndACallCancelledWhileItRuns() throws {
    let sandbox = try Sandbox()
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT max(i) FROM n"
    let messages = [
      try Self.call(1, "sql", ["file": "Todo.sqlite", "statement": endless]),
      try Self.call(2, "verify", ["file": "Todo.sqlite"]),
      try Self.call(3, "explain_finding", ["code": "dangling-pair"]),
      #"{"jsonrpc":"2.0","id":4,"method":"ping"}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    ]
    let answers = try Self.answers(messages, in: sandbox)
    #expect(answers.keys.sorted() == [3, 4])
    #expect(try Self.text(answers[3]).text.contains(#""meaning":"#))
  }

  @Test func aModelIsDescribedByEntities() throws {
    let answers = try Self.answers(
      [
        Self.call(1, "describe_model", ["file": "Todo.sqlite"]),
        Self.call(2, "describe_model", ["file": "Todo.sqlite", "entities": ["TagEntity"]]),
      ], in: try Sandbox())
    let (all, one) = (try Self.text(answers[1]).text, try Self.text(answers[2]).text)
    #expect(all.hasPrefix(#"{"type":"summary","command":"model""#), "\(all)")
    #expect(all.contains(#""name":"TagEntity","#) && all.contains(#""attributes":"#), "\(all)")
    #expect(!all.contains("color"))
    #expect(one.contains(#"{"name":"color","type":"Integer 32""#), "\(one)")
    #expect(!one.contains(#""name":"TodoEntity","#))
  }

  @Test func theBackupsOfAVaultAreRead() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("backup", "Todo.sqlite", "--vault", "Vault").status == 0)
    let answers = try Self.answers(
      [
        Self.call(1, "list_backups", ["vault": "Vault"]),
        Self.call(2, "check_backups", ["vault": "Vault"]),
        Self.call(3, "query", ["file": "Vault#latest", "entity": "TagEntity"]),
        Self.call(4, "list_backups", ["vault": "../Vault"]),
      ], in: sandbox)
    #expect(try Self.text(answers[1]).text.contains(#"{"type":"backup","#))
    #expect(try Self.text(answers[2]).text.contains(#""problems":0"#))
    #expect(try Self.text(answers[3]).text.contains(#""object":"TagEntity/p1""#))
    #expect(try Self.text(answers[4]).isError)
  }

  @Test func everyToolAnswersWithLinesOfJSON() throws {
    let sandbox = try Sandbox()
    let answers = try Self.answers(
      [
        Self.call(1, "list_stores", [:]), Self.call(2, "describe_model", ["file": "Todo.sqlite"]),
        Self.call(
          3, "query",
          ["file": "Todo.sqlite", "entity": "TagEntity", "predicate": "name == 'home'"]),
        Self.call(
          4, "show_object",
          ["file": "Todo.sqlite", "object": "TodoEntity/p1", "follow": ["tags"]]),
        Self.call(
          5, "sql",
          ["file": "Todo.sqlite", "statement": "SELECT count(*) AS n FROM TagEntity", "limit": 1]),
        Self.call(6, "diff", ["first": "Todo.sqlite", "second": "Todo.sqlite"]),
        Self.call(7, "verify", ["file": sandbox.directory.file("Todo.sqlite")]),
        Self.call(8, "explain_finding", ["code": "dangling-relationship"]),
        Self.call(9, "history", ["file": "Todo.sqlite", "object": "TodoEntity"]),
      ], in: sandbox)
    let parts = [
      "Todo.sqlite", #""type":"entity","name":"TagEntity""#, #""name":"home""#,
      #""followed":{"tags":["#, #"{"type":"row","values":{"n":7}}"#, #""command":"diff""#,
      #""command":"verify","status":0"#, #""meaning":"#, #""type":"transaction""#,
    ]
    for (index, part) in parts.enumerated() {
      let (text, isError) = try Self.text(answers[index + 1])
      #expect(!isError && text.contains(part), "\(text)")
    }
  }

  @Test func whatATurnedDownCallDidWrongIsSaid() throws {
    let sandbox = try Sandbox()
    let outside = try TemporaryDirectory()
    _ = try outside.write([1], to: "secret.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: sandbox.directory.file("link.sqlite"),
      withDestinationPath: outside.file("secret.sqlite"))
    let calls: [(String, [String: Any], String)] = [
      ("verify", ["file": outside.file("secret.sqlite")], "below the folders"),
      ("verify", ["file": "../secret.sqlite"], "below the folders"),
      ("verify", ["file": "link.sqlite"], "below the folders"),
      ("verify", ["file": "-"], "below the folders"),
      ("verify", [:], "the argument 'file' is missing"),
      ("verify", ["file": 3], "not of the type string"),
      ("verify", ["file": "Todo.sqlite", "salvage": true], "there is no argument 'salvage'"),
      ("query", ["file": "Todo.sqlite", "entity": "--where=x"], "no such entity"),
      ("query", ["file": "Todo.sqlite", "entity": "TagEntity", "predicate": "nam == 1"], "nam"),
      ("query", ["file": "Todo.sqlite", "entity": "TagEntity", "limit": -1], "'limit' is not"),
      ("query", ["file": "Todo.sqlite", "entity": "TagEntity", "limit": 0], "must be at least 1"),
      ("sql", ["file": "Todo.sqlite", "statement": "DROP TABLE x"], "invalid-query"),
      ("explain_finding", ["code": "x"], "Unknown code 'x'"),
    ]
    let answers = try Self.answers(
      calls.enumerated().map { try Self.call($0, $1.0, $1.1) }, in: sandbox)
    for (index, call) in calls.enumerated() {
      let (text, isError) = try Self.text(answers[index])
      #expect(isError && text.contains(call.2), "\(call): \(text)")
    }
  }

  @Test func aLongAnswerHasPages() throws {
    let statement = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 'abcdefghij' FROM n
      """
    let answers = try Self.answers(
      [
        Self.call(1, "sql", ["file": "Todo.sqlite", "statement": statement, "limit": 100_000]),
        Self.call(
          2, "sql", ["file": "Todo.sqlite", "statement": statement, "limit": 2, "offset": 3000]),
      ], in: try Sandbox())
    let (text, isError) = try Self.text(answers[1])
    let lines = text.split(separator: "\n")
    // In JSON, each of the quotes takes two bytes.
    let size = try JSONSerialization.data(withJSONObject: [text]).count
    #expect(!isError && lines.count > 1000 && size <= 256 << 10 && size > 250 << 10)
    #expect(lines.first?.hasPrefix(#"{"type":"summary""#) == true)
    let count = lines.count - 2
    #expect(
      lines.last == #"{"type":"page","offset":0,"lines":\#(count),"next":\#(count)}"#, "\(lines)")
    let second = try Self.text(answers[2]).text.split(separator: "\n")
    #expect(second.dropFirst().first?.contains(#""i":3001"#) == true, "\(second)")
    #expect(second.last == #"{"type":"page","offset":3000,"lines":2,"next":3002}"#)
  }

  @Test func aQueryOfSQLHasFewRowsUnlessMoreAreAskedFor() throws {
    let statement =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    let answers = try Self.answers(
      [
        Self.call(1, "sql", ["file": "Todo.sqlite", "statement": statement]),
        Self.call(2, "sql", ["file": "Todo.sqlite", "statement": statement, "limit": 3]),
      ], in: try Sandbox())
    #expect(try Self.text(answers[1]).text.contains(#""rows":50,"#))
    #expect(try Self.text(answers[2]).text.contains(#""rows":3,"#))
  }

  @Test func maskedAnswersHaveNoValues() throws {
    let sandbox = try Sandbox()
    let answers = try Self.answers(
      [
        Self.call(1, "query", ["file": "Todo.sqlite", "entity": "TagEntity"]),
        Self.call(2, "sql", ["file": "Todo.sqlite", "statement": "SELECT 1"]),
        Self.call(3, "describe_model", ["file": "Todo.sqlite", "entities": ["TagEntity"]]),
        Self.call(4, "describe_model", ["file": "Todo.sqlite"]),
      ], ["--mask"], in: sandbox)
    let (model, _) = try Self.text(answers[3])
    #expect(model.contains(#"{"name":"color","type":"Integer 32""#), "\(model)")
    let (counts, _) = try Self.text(answers[4])
    #expect(counts.contains(#""attributes":"#), "\(counts)")
    #expect(!counts.contains("a number"), "\(counts)")
    let (text, _) = try Self.text(answers[1])
    #expect(text.contains(#""object":"TagEntity/p1""#), "\(text)")
    #expect(text.contains(#""name":"a text of 4 characters""#), "\(text)")
    #expect(!text.contains("home"))
    #expect(answers[2]?["error"] != nil)
  }

  /// Whether Python has the protocol's own client (`pip install mcp`).
  private static let hasClient = PythonPackages.has("mcp")

  @Test(.enabled(if: hasClient, "Python has no package mcp: the official client was not tried"))
  func theOfficialClientIsServed() throws {
    let sandbox = try Sandbox()
    let script = """
      import asyncio, sys
      from mcp import ClientSession, StdioServerParameters
      from mcp.client.stdio import stdio_client

      async def main():
          server = StdioServerParameters(command=sys.argv[1], args=["mcp", sys.argv[2]])
          async with stdio_client(server) as (reader, writer):
              async with ClientSession(reader, writer) as session:
                  await session.initialize()
                  for tool in (await session.list_tools()).tools:
                      print(tool.name)
                  result = await session.call_tool("sql", {
                      "file": "Todo.sqlite", "statement": "SELECT count(*) AS n FROM TagEntity"})
                  print(result.content[0].text)

      asyncio.run(main())
      """
    let python = try #require(PythonPackages.interpreter)
    let result = try ProcessRunner(python, environment: PythonPackages.environment).run(
      ["-c", script, try BuiltProgram.path(), sandbox.directory.path])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.hasPrefix("list_stores\n"))
    #expect(result.output.contains(#"{"type":"row","values":{"n":7}}"#), "\(result.output)")
  }
}
