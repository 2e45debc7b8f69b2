internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The output of `coffer rescue`, its statuses and its refusals.
@Suite struct RescueCommandTests {
  /// A store without the page of its tags, which pairs refer to.
  private func damaged() throws -> Sandbox {
    let sandbox = try Sandbox()
    let store = sandbox.file("Todo.sqlite")
    try GeneratorDatabase(path: store).run("PRAGMA journal_mode = DELETE")
    let map = try PageMap(store)
    for page in map.pages where page.object == "ZTAGENTITY" {
      try PageDamage.zeros(page.number).apply(to: store, pageSize: map.pageSize)
    }
    return sandbox
  }

  @Test func theNewStoreVerifiesAndTheLossesAreListed() throws {
    let sandbox = try damaged()
    let bytes = sandbox.bytes("Todo.sqlite")
    let result = try sandbox.coffer("rescue", "Todo.sqlite", "-o", "New.sqlite")
    #expect(result.status == 3, "\(result.errorOutput)")
    #expect(result.output.hasPrefix("Rescued "))
    #expect(result.output.contains("\nWhat was lost\nentities/TagEntity: lost "))
    #expect(result.output.contains("\ndangling-pair, lossy ("))
    #expect(!result.output.contains("What is left"))
    #expect(try sandbox.coffer("verify", "New.sqlite").status == 0)
    #expect(sandbox.bytes("Todo.sqlite") == bytes)
    #expect(try sandbox.added() == [".New_SUPPORT", "New.sqlite"])
  }

  @Test func theLossesAreLinesOfJSON() throws {
    let sandbox = try damaged()
    let result = try sandbox.coffer("rescue", "Todo.sqlite", "-o", "New.sqlite", "--json")
    #expect(result.status == 3)
    #expect(
      result.output.contains(
        #"{"type":"lost","table":"entities/TagEntity","entity":"TagEntity","read":0,"lost":"#))
    #expect(result.output.contains(#""type":"repair","code":"dangling-pair""#))
    #expect(result.output.contains(#""salvaged":true,"#))
    #expect(result.output.contains(#""errors":0"#))
  }

  @Test func aSoundStoreLosesNothing() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer("rescue", "Todo.sqlite", "-o", "New.sqlite")
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("\n  lost           nothing\n"))
    #expect(try sandbox.coffer("diff", "Todo.sqlite", "New.sqlite").status == 0)
  }

  /// Each command that meets a lost copy of the model names the one that helps.
  @Test(arguments: ["verify Todo.sqlite", "export Todo.sqlite A.tar.gz", "inspect Todo.sqlite"])
  func aLostModelLeadsToARescue(_ command: String) throws {
    let sandbox = try Sandbox()
    try GeneratorDatabase(path: sandbox.file("Todo.sqlite"))
      .run("UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102'")
    for command in [command, "repair Todo.sqlite"] {
      let result = try sandbox.shell("coffer \(command)")
      let output = result.output + result.errorOutput
      #expect(output.contains("To make a working store with the app's model: coffer rescue "))
      #expect(output.contains("Todo.sqlite --output NEW --model MODEL"), "\(command)")
    }
  }

  /// A store whose objects were all in the log that was not copied says so to everyone.
  @Test func aStoreWithoutItsLogIsNotSilentlyEmpty() throws {
    let sandbox = try Sandbox()
    let path = sandbox.file("Empty.sqlite")
    let created = try sandbox.coffer("create", "Todo.sqlite", "Empty.sqlite")
    #expect(created.status == 0, "\(created.errorOutput)")
    try GeneratorDatabase(path: path).run("PRAGMA journal_mode = WAL")
    for command in [
      "verify Empty.sqlite", "export Empty.sqlite A.tar.gz", "inspect Empty.sqlite",
      "repair Empty.sqlite", "rescue Empty.sqlite -o New.sqlite",
      "backup Empty.sqlite --vault Vault",
    ] {
      let result = try sandbox.shell("coffer \(command)")
      #expect(
        result.errorOutput.hasPrefix(
          "Warning: Empty.sqlite has no objects and no -wal file."), "\(command)")
    }
  }

  @Test func nothingIsReplacedUnasked() throws {
    let sandbox = try damaged()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: sandbox.file("New.sqlite")))
    #expect(try sandbox.coffer("rescue", "Todo.sqlite", "-o", "New.sqlite").status == 14)
    #expect(try sandbox.coffer("rescue", "Todo.sqlite", "-o", "Todo.sqlite").status == 15)
    let itself = try sandbox.coffer("rescue", "Todo.sqlite", "-o", "Todo.sqlite", "--force")
    #expect(itself.status == 15)
    #expect(try sandbox.coffer("rescue", "Todo.sqlite", "-o", "Other.sqlite").status == 3)
    #expect(
      try sandbox.coffer("rescue", "Todo.sqlite", "-o", "Other.sqlite", "--force").status == 3)
  }

  @Test func tablesThatTheSchemaHasLostAreFoundByTheModel() throws {
    let sandbox = try Sandbox()
    let store = sandbox.file("Todo.sqlite")
    try GeneratorDatabase(path: store).run("PRAGMA journal_mode = DELETE")
    let map = try PageMap(store)
    for page in map.pages where page.object == "sqlite_schema" && page.number > 1 {
      try PageDamage.zeros(page.number).apply(to: store, pageSize: map.pageSize)
    }
    let result = try sandbox.coffer("rescue", "Todo.sqlite", "-o", "New.sqlite")
    #expect(result.status == 3, "\(result.output)")
    #expect(try sandbox.added().contains("New.sqlite"))
    #expect(try sandbox.coffer("verify", "New.sqlite").status != 12)
    #expect(try sandbox.coffer("rescue", "Missing.sqlite", "-o", "Other.sqlite").status == 10)
  }
}
