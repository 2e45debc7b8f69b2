internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct JSONTests {
  /// The objects of the lines; every line must be one and have a type.
  private func lines(_ text: String) throws -> [[String: Any]] {
    #expect(text.isEmpty || text.hasSuffix("\n"))
    return try text.split(separator: "\n").map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let object = try #require(value as? [String: Any])
      #expect(object["type"] is String)
      // Of a key that occurs twice, parsers keep one value. Summaries have no objects in them.
      for key in object.keys where object["type"] as? String == "summary" {
        #expect(line.components(separatedBy: "\"\(key)\":").count == 2, "\(key)")
      }
      return object
    }
  }

  /// The last line, which must be the only summary, of a command and with a status.
  private func summary(
    _ lines: [[String: Any]], _ command: String, _ status: Int
  ) throws -> [String: Any] {
    #expect(lines.filter { $0["type"] as? String == "summary" }.count == 1)
    let last = try #require(lines.last)
    #expect(last["type"] as? String == "summary")
    #expect(last["command"] as? String == command)
    #expect(last["status"] as? Int == status)
    return last
  }

  @Test func exportAndImportHaveTheSameCounts() throws {
    let sandbox = try Sandbox()
    let export = try sandbox.coffer("export", "Todo.sqlite", "a", "--json")
    let exported = try summary(lines(export.output), "export", 0)
    let restored = try sandbox.coffer("--json", "import", "a", "Copy.sqlite")
    let imported = try summary(lines(restored.output), "import", 0)
    for (key, value) in ["objects": 37, "relationships": 39, "entities": 10] {
      #expect(exported[key] as? Int == value)
      #expect(imported[key] as? Int == value)
    }
    let digest = try #require(exported["digest"] as? String)
    #expect(digest.count == 64)
    #expect(imported["digest"] as? String == digest)
    let content = try #require(exported["contentDigest"] as? String)
    #expect(content.count == 64 && content != digest)
    let verified = try lines(sandbox.coffer("verify", "a", "--json").output)
    let inspected = try lines(sandbox.coffer("inspect", "a", "--json").output)
    let store = try lines(
      sandbox.coffer("inspect", "Copy.sqlite", "--content-digest", "--json").output)
    let archive = inspected.first { $0["type"] as? String == "archive" }
    let found: [[String: Any]?] = [imported, verified.last, archive, store.first]
    for line in found { #expect(line?["contentDigest"] as? String == content) }
    let compared = try lines(sandbox.coffer("diff", "a", "Copy.sqlite", "--json").output)
    #expect(compared.last?["firstContentDigest"] as? String == content)
    #expect(compared.last?["secondContentDigest"] is NSNull)
    #expect(export.errorOutput == "" && restored.errorOutput == "")
  }

  @Test func theSummaryOfAPipedArchiveIsOnStandardError() throws {
    let result = try Sandbox().coffer("export", "Todo.sqlite", "-", "--json")
    #expect(result.outputBytes.starts(with: [0x1f, 0x8b]))
    _ = try summary(lines(result.errorOutput), "export", 0)
  }

  @Test func findingsAreLines() throws {
    let sandbox = try Sandbox(.danglingToOne)
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let all = try lines(sandbox.coffer("import", "a", "Copy.sqlite", "--json").output)
    let last = try summary(all, "import", 3)
    #expect(last["errors"] as? Int == 1)
    let finding = try #require(all.first { $0["type"] as? String == "finding" })
    #expect(finding["severity"] as? String == "error")
    #expect(finding["code"] as? String == "dangling-relationship")
    let entity = try #require(finding["entity"] as? String)
    let object = try #require(finding["object"] as? String)
    #expect(object.hasPrefix("\(entity)/p"))
    #expect(finding["property"] is String)
  }

  @Test(
    arguments: [
      ("export nope a --json", "not-found", 10),
      ("import Todo.sqlite a --json", "not-an-archive", 10),
      ("export Todo.sqlite Todo.sqlite-x --json --level 99", "usage", 64),
      ("exprot --json", "usage", 64), ("--json", "usage", 64),
      ("diff Todo.sqlite nope --json", "not-found", 10),
    ])
  func errorsAreOneLineOnStandardError(_ command: String, _ code: String, _ status: Int) throws {
    let result = try Sandbox().shell("coffer \(command)")
    #expect(result.output == "")
    #expect(Int(result.status) == status)
    let all = try lines(result.errorOutput)
    #expect(all.count == 1)
    let error = try #require(all.first)
    #expect(error["type"] as? String == "error")
    #expect(error["code"] as? String == code)
    #expect(error["status"] as? Int == status)
    #expect((error["message"] as? String)?.isEmpty == false)
    #expect(error.keys.contains("hint"))
  }

  @Test(arguments: ["Todo.sqlite", "a"])
  func inspectingTellsStoreAndEntities(_ file: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let all = try lines(sandbox.coffer("inspect", file, "--json").output)
    let last = try summary(all, "inspect", 0)
    #expect(last["objects"] as? Int == 37)
    let store = try #require(all.first { $0["type"] as? String == "store" })
    #expect(store["uuid"] is String)
    #expect(store["frameworkVersion"] is Int)
    #expect(store["modelSource"] as? String == "modelcache")
    let entities = all.filter { $0["type"] as? String == "entity" }
    #expect(entities.count == 10)
    #expect(entities.allSatisfy { $0["name"] is String && $0["objects"] is Int })
    #expect(entities.compactMap { $0["objects"] as? Int }.reduce(0, +) == 37)
  }

  @Test(arguments: [
    ["repair", "Todo.sqlite"],
    ["dedupe", "Todo.sqlite", "--match", "TagEntity=name", "--output", "New.sqlite"],
  ])
  func theSummaryOfAChangeNamesTheStore(_ arguments: [String]) throws {
    let result = try Sandbox().run(arguments + ["--json"])
    let last = try summary(lines(result.output), arguments[0], 0)
    #expect(last["store"] as? String == "Todo.sqlite")
    #expect(last["storeProperties"] is Int)
  }

  @Test func metadataShowTheirValuesOnlyWhenAskedFor() throws {
    let sandbox = try Sandbox()
    let all = try lines(sandbox.coffer("inspect", "Todo.sqlite", "--json").output)
    let keys = all.filter { $0["type"] as? String == "metadata" }
    #expect(keys.compactMap { $0["name"] as? String } == ["AppLastSync", "AppSettings"])
    #expect(keys.allSatisfy { $0["value"] == nil })
    let open = try lines(sandbox.coffer("inspect", "Todo.sqlite", "--json", "--values").output)
    let values = open.filter { $0["type"] as? String == "metadata" }
    #expect(values.allSatisfy { $0["value"] is String })
  }
}
