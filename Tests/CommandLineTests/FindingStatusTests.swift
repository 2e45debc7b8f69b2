internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct FindingStatusTests {
  @Test func aMissingExternalFileIsKeptAsMissing() throws {
    let sandbox = try Sandbox(.missingExternalFile)
    let export = try sandbox.coffer("export", "Todo.sqlite", "a")
    #expect(export.status == 3)
    #expect(export.output.hasPrefix("Exported 37 objects"))
    #expect(
      export.errorOutput.hasPrefix(
        "error: AttachmentEntity/p4.content: the file of the external binary data"))
    let restored = try sandbox.coffer("import", "a", "Copy.sqlite")
    #expect(restored.status == 3)
    #expect(restored.output.hasPrefix("Imported 37 objects"))
    #expect(
      restored.errorOutput.hasPrefix(
        "error: AttachmentEntity/p4.content: the file of the external binary data"))
    #expect(try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite").status == 0)
  }

  @Test func strictImportsRestoreNothingThatIsWrong() throws {
    let sandbox = try Sandbox(.danglingToOne)
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let strict = try sandbox.coffer("import", "a", "Copy.sqlite", "--strict")
    #expect(strict.status == 3)
    #expect(strict.output == "")
    #expect(strict.errorOutput.contains("Error: a: not restored because its data has errors"))
    #expect(try sandbox.added() == ["a"])
    #expect(try sandbox.coffer("import", "a", "Copy.sqlite").status == 3)
    #expect(try sandbox.coffer("diff", "a", "Copy.sqlite").status == 0)
  }

  @Test func strictImportsRunAllChecks() throws {
    let sandbox = try Sandbox(.mandatoryAttributeMissing)
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let strict = try sandbox.coffer("import", "a", "Copy.sqlite", "--strict")
    #expect(strict.status == 3)
    #expect(strict.errorOutput.hasPrefix("error: VisitEntity/p1.arrival: "))
    #expect(try sandbox.added() == ["a"])
    #expect(try sandbox.coffer("import", "a", "Copy.sqlite").status == 0)
  }

  @Test func notesAndWarningsAloneAreNoBadAnswer() throws {
    let sandbox = try Sandbox(.oneToOneHalfSet)
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let restored = try sandbox.coffer("import", "a", "Copy.sqlite", "--strict")
    #expect(restored.status == 0)
    #expect(restored.errorOutput.hasPrefix("info: "))
    let linked = try Sandbox(.externalLink).coffer("export", "Todo.sqlite", "a")
    #expect(linked.status == 0)
    #expect(linked.errorOutput.hasPrefix("warning: "))
  }

  @Test func quietCommandsStillSayWhatIsWrong() throws {
    let sandbox = try Sandbox(.missingExternalFile)
    let export = try sandbox.coffer("export", "Todo.sqlite", "a", "--quiet")
    #expect(export.status == 3)
    #expect(export.output == "")
    #expect(export.errorOutput.contains("AttachmentEntity/p4.content"))
  }

  @Test func skippedFindingsOfAnExportDoNotCount() throws {
    let sandbox = try Sandbox(.missingExternalFile)
    let export = try sandbox.coffer(
      "export", "Todo.sqlite", "a", "--skip", "missing-external-data", "--json")
    #expect(export.status == 0)
    #expect(!export.output.contains("\"type\":\"finding\""))
    #expect(export.output.contains("\"errors\":0,\"warnings\":0,\"infos\":0"))
    #expect(try sandbox.coffer("export", "Todo.sqlite", "b").status == 3)
    #expect(try sandbox.coffer("diff", "a", "b").status == 0)
    let verified = try sandbox.coffer("verify", "a", "--skip", "missing-external-data")
    #expect(verified.status == 0)
    let unknown = try sandbox.coffer("export", "Todo.sqlite", "c", "--skip", "missing-external")
    #expect(unknown.status == 64)
    #expect(unknown.errorOutput.contains("Did you mean"))
  }

  @Test func aThresholdDecidesHowAnExportEnds() throws {
    let sandbox = try Sandbox(.externalLink)
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a", "--quiet").errorOutput == "")
    let strict = try sandbox.coffer(
      "export", "Todo.sqlite", "b", "--quiet", "--fail-on", "warning")
    #expect(strict.status == 3)
    #expect(strict.errorOutput.hasPrefix("warning: "))
    #expect(strict.errorOutput.contains("1 warning: the archive is complete"))
    #expect(
      try sandbox.coffer(
        "export", "Todo.sqlite", "c", "--fail-on", "warning", "--skip", "irregular-external-data"
      ).status == 0)
  }

  /// Texts of the sample store that may stand in no message.
  private static let secrets = [
    "Ada", "Lovelace", "example.org", "Buy milk", "Berlin", "Home", "dark", "Null Island",
  ]

  /// Commands whose answers are tried in turns, each with a third of the damages, or with all in
  /// a long run.
  private static let others = [
    ["inspect", "Todo.sqlite"], ["diff", "Todo.sqlite", "Todo.sqlite", "--all"],
    ["verify", "a", "--json"], ["verify", "Todo.sqlite", "--format", "sarif"],
  ]

  @Test(arguments: Damage.all)
  func messagesHoldNoUserData(_ damage: Damage) throws {
    let number = try #require(Damage.all.firstIndex { $0.name == damage.name })
    let sandbox = try Sandbox(damage)
    var results = [
      try sandbox.coffer("export", "Todo.sqlite", "a"),
      try sandbox.coffer("import", "a", "Copy.sqlite"),
      try sandbox.coffer("verify", "Todo.sqlite", "--all"),
    ]
    for (turn, command) in Self.others.enumerated()
    where Effort.isLong || (number + turn) % 3 == 0 {
      results.append(try sandbox.run(command))
    }
    // A statement that no store consists of is run only for who trusts it.
    let refused: Set<Int32> = damage.name == Damage.unusualTrigger.name ? [15] : []
    for result in results {
      #expect(result.signal == nil)
      #expect(refused.union([0, 1, 3, 10, 12]).contains(result.status))
      for secret in Self.secrets {
        #expect(!result.errorOutput.contains(secret))
        #expect(!result.output.contains(secret))
      }
    }
  }
}
