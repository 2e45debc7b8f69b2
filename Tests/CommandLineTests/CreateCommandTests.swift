internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct CreateCommandTests {
  private static let source = """
    <?xml version='1.0'?><model><entity name='A'>\
    <attribute name='n' attributeType='String'/></entity></model>
    """

  /// A sandbox with a folder of two versions of a model; the second is the current one.
  private func withModel() throws -> Sandbox {
    let sandbox = try Sandbox()
    for (version, source) in [
      ("M", Self.source), ("M 2", Self.source.replacingOccurrences(of: "'A'", with: "'B'")),
    ] {
      let folder = "M.xcdatamodeld/\(version).xcdatamodel"
      try FileManager.default.createDirectory(
        atPath: sandbox.file(folder), withIntermediateDirectories: true)
      _ = try sandbox.directory.write(source.utf8, to: "\(folder)/contents")
    }
    _ = try sandbox.directory.write(
      """
      <?xml version='1.0'?><plist><dict><key>_XCCurrentVersionName</key>\
      <string>M 2.xcdatamodel</string></dict></plist>
      """.utf8, to: "M.xcdatamodeld/.xccurrentversion")
    return sandbox
  }

  @Test func aStoreIsCreatedAndVerified() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer("create", "Todo.sqlite", "New.sqlite")
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    let lines = result.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("Created New.sqlite: ") == true, "\(lines)")
    #expect(result.output.contains("\n  framework      1448 (macOS 15 / iOS 18)\n"))
    #expect(result.output.contains("\n  version hashes yes\n"))
    let verified = try sandbox.coffer("verify", "New.sqlite")
    #expect(verified.status == 0)
    #expect(verified.output.hasSuffix("New.sqlite: no findings\n"))
    #expect(try sandbox.added() == ["New.sqlite"])
  }

  @Test func aSourceIsCreatedWithAWarning() throws {
    let sandbox = try withModel()
    let result = try sandbox.coffer(
      "create", "M.xcdatamodeld", "New.sqlite", "--model-version", "M", "--framework", "1348")
    #expect(result.status == 0)
    #expect(result.errorOutput.hasPrefix("Warning: New.sqlite has no version hashes"))
    #expect(result.output.contains("\n  framework      1348 (macOS 14 / iOS 17)\n"))
    #expect(result.output.contains("\n  version hashes none\n"))
    let shown = try sandbox.coffer("inspect", "New.sqlite").output
    #expect(shown.contains("\n        0  A\n"))
    let current = try sandbox.coffer("create", "M.xcdatamodeld", "New.sqlite", "--force")
    #expect(current.status == 0)
    #expect(try sandbox.coffer("inspect", "New.sqlite").output.contains("\n        0  B\n"))
  }

  @Test func aLineOfJSONTellsAll() throws {
    let sandbox = try withModel()
    let result = try sandbox.coffer("create", "M.xcdatamodeld", "New.sqlite", "--json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any])
    #expect(object["type"] as? String == "summary")
    #expect(object["command"] as? String == "create")
    #expect(object["status"] as? Int == 0)
    #expect(object["store"] as? String == "New.sqlite")
    #expect((object["storeUUID"] as? String)?.utf8.count == 36)
    #expect(object["frameworkVersion"] as? Int == 1526)
    #expect(object["entities"] as? Int == 1)
    #expect(object["tables"] as? Int == 1)
    #expect(object["versionHashes"] as? Bool == false)
    #expect(object["notes"] as? [String] == [])
    let warning = try #require(
      try JSONSerialization.jsonObject(with: Data(result.errorOutput.utf8)) as? [String: Any])
    #expect(warning["code"] as? String == "no-version-hashes")
  }

  @Test func whatCannotBeDoneHasItsStatus() throws {
    let sandbox = try withModel()
    for (arguments, status) in [
      (["no", "New.sqlite"], 10), (["M.xcdatamodeld", "New.sqlite", "--model-version", "M 3"], 10),
      (["Todo.sqlite", "Todo.sqlite"], 15), (["Todo.sqlite", "Todo.sqlite", "--force"], 15),
      (["M.xcdatamodeld", "New.sqlite", "--like", "no"], 10),
      (["M.xcdatamodeld", "New.sqlite", "--framework", "230"], 15),
      (["M.xcdatamodeld", "New.sqlite", "--framework", "new"], 64), (["M.xcdatamodeld"], 64),
      (["M.xcdatamodeld", "no/New.sqlite"], 1),
    ] as [([String], Int32)] {
      let result = try sandbox.run(["create"] + arguments)
      #expect(result.status == status, "\(arguments): \(result.errorOutput)")
      #expect(result.output == "")
    }
    #expect(try sandbox.added() == ["M.xcdatamodeld"])
  }

  @Test func aStoreThatIsThereIsReplacedOnlyWithForce() throws {
    let sandbox = try withModel()
    #expect(try sandbox.coffer("create", "Todo.sqlite", "New.sqlite").status == 0)
    let before = sandbox.bytes("New.sqlite")
    #expect(try sandbox.coffer("create", "M.xcdatamodeld", "New.sqlite").status == 14)
    #expect(sandbox.bytes("New.sqlite") == before)
    #expect(try sandbox.coffer("create", "M.xcdatamodeld", "New.sqlite", "--force").status == 0)
    #expect(sandbox.bytes("New.sqlite") != before)
  }
}
