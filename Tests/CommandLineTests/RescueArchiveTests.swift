internal import Foundation
internal import TestSupport
internal import Testing

/// A damaged archive that is rescued, as people and scripts see it.
@Suite struct RescueArchiveTests {
  private let sandbox: Sandbox

  /// An archive whose last third is missing.
  init() throws {
    sandbox = try Sandbox()
    let result = try sandbox.coffer("export", "Todo.sqlite", "Todo.tar.gz", "--quiet")
    #expect(result.status == 0)
    let bytes = try #require(sandbox.bytes("Todo.tar.gz"))
    try bytes.prefix(bytes.count * 2 / 3).write(
      to: URL(fileURLWithPath: sandbox.file("Cut.tar.gz")))
  }

  @Test func aDamagedArchiveIsRefusedWithAHint() throws {
    let result = try sandbox.coffer("import", "Cut.tar.gz", "Copy.sqlite")
    #expect(result.status == 12)
    #expect(result.errorOutput.contains("coffer rescue ARCHIVE --output NEW"))
    #expect(try sandbox.added() == ["Cut.tar.gz", "Todo.tar.gz"])
    let verified = try sandbox.coffer("verify", "Cut.tar.gz")
    #expect(verified.status == 12)
    #expect(verified.errorOutput.contains("coffer rescue ARCHIVE --output NEW"))
  }

  @Test func whatIsLostIsToldWithStatus3() throws {
    let result = try sandbox.coffer("rescue", "Cut.tar.gz", "-o", "Copy.sqlite")
    #expect(result.status == 3)
    #expect(result.output.contains("\n  lost           unknown\n"))
    #expect(!result.output.contains("digest"))
    #expect(result.errorOutput.contains("error: the index of the archive is lost"))
    #expect(result.errorOutput.contains("restored without the lost data; verify it\n"))
  }

  @Test func scriptsGetTheCounts() throws {
    let whole = try sandbox.coffer("rescue", "Todo.tar.gz", "-o", "A.sqlite", "--json")
    #expect(whole.status == 0)
    let cut = try sandbox.coffer("rescue", "Cut.tar.gz", "-o", "B.sqlite", "--json")
    #expect(cut.status == 3)
    for (result, isComplete) in [(whole, true), (cut, false)] {
      let line = try #require(result.output.split(separator: "\n").last)
      let summary = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(summary["lossesComplete"] as? Bool == isComplete)
      for key in ["lostEntries", "lostObjects", "lostLines", "lostValues"] {
        #expect(summary[key] is Int, "\(key)")
      }
    }
  }

  @Test func aPipeIsRescuedToo() throws {
    let result = try sandbox.shell("coffer rescue - -o Copy.sqlite < Cut.tar.gz")
    #expect(result.status == 3)
    #expect(try sandbox.added().contains("Copy.sqlite"))
  }

  @Test(
    arguments: [
      (["Cut.tar.gz", "-o", "New.tar.gz"], 15),
      (["Cut.tar.gz", "-o", "A.sqlite", "--recovered", "F"], 15),
      (["Todo.sqlite", "-o", "New.tar.gz", "--recovered", "F"], 64),
      (["Todo.sqlite", "-o", "New.sqlite", "--encrypt-to", "\(Self.recipient)"], 64),
    ] as [([String], Int32)])
  func whatDoesNotGoTogetherIsRefused(_ arguments: [String], _ status: Int32) throws {
    let result = try sandbox.run(["rescue"] + arguments)
    #expect(result.status == status, "\(result.errorOutput)")
    #expect(try sandbox.added() == ["Cut.tar.gz", "Todo.tar.gz"])
  }

  @Test func aPassphraseIsForReadingAlone() throws {
    let result = try sandbox.shell(
      """
      echo secret > word && chmod 600 word
      coffer rescue Todo.sqlite -o New.tar.gz --passphrase-file word
      """)
    #expect(result.status == 15)
    #expect(try !sandbox.added().contains("New.tar.gz"))
  }

  private static let recipient = "age1teaumv5e573rykespqm053dglg7ns724kus43r5qsn3hpnqaxslqpezme7"
}
