internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct CreateObjectsTests {
  @Test func inventedObjectsAreValid() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer(
      "create", "Todo.sqlite", "New.sqlite", "--objects", "5", "--seed", "42")
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    #expect(result.output.hasPrefix("Created New.sqlite: "))
    #expect(result.output.contains("\n  seed           42\n"))
    #expect(result.output.contains("\n  version hashes yes\n"))
    let verified = try sandbox.coffer("verify", "New.sqlite", "--fail-on", "warning")
    #expect(verified.status == 0, "\(verified.output)")
    let again = try sandbox.coffer(
      "create", "Todo.sqlite", "New.sqlite", "--objects", "5", "--seed", "42", "--force")
    #expect(again.output == result.output)
  }

  @Test func aLineOfJSONTellsAll() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer(
      "create", "Todo.sqlite", "New.sqlite", "--objects", "like", "--like", "Todo.sqlite", "--json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any])
    #expect(object["command"] as? String == "create")
    #expect(object["seed"] as? String == "0")
    #expect(object["versionHashes"] as? Bool == true)
    #expect((object["tables"] as? [[String: Any]])?.isEmpty == false)
  }

  @Test func whatCannotBeDoneHasItsStatus() throws {
    let sandbox = try Sandbox()
    for (arguments, status) in [
      (["no", "New.sqlite", "--objects", "5"], 10),
      (["Todo.sqlite", "Todo.sqlite", "--objects", "5"], 15),
      (["Todo.sqlite", "New.sqlite", "--objects", "like", "--like", "no"], 10),
      (["Todo.sqlite", "New.sqlite", "--objects", "like"], 64),
      (["Todo.sqlite", "New.sqlite", "--objects", "0"], 64),
      (["Todo.sqlite", "New.sqlite", "--seed", "5"], 64),
      (["Todo.sqlite", "no/New.sqlite", "--objects", "5"], 1),
    ] as [([String], Int32)] {
      let result = try sandbox.run(["create"] + arguments)
      #expect(result.status == status, "\(arguments): \(result.errorOutput)")
      #expect(result.output == "")
    }
    #expect(try sandbox.added() == [])
  }
}
