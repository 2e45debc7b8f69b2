internal import Foundation
internal import TestSupport
internal import Testing

/// `coffer import --salvage` as people and scripts see it.
@Suite struct ImportSalvageTests {
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

  @Test func withoutItADamagedArchiveIsRefusedWithAHint() throws {
    let result = try sandbox.coffer("import", "Cut.tar.gz", "Copy.sqlite")
    #expect(result.status == 12)
    #expect(result.errorOutput.contains("coffer import --salvage"))
    #expect(try sandbox.added() == ["Cut.tar.gz", "Todo.tar.gz"])
    let verified = try sandbox.coffer("verify", "Cut.tar.gz")
    #expect(verified.status == 12)
    #expect(verified.errorOutput.contains("coffer import --salvage"))
  }

  @Test func whatIsLostIsToldWithStatus3() throws {
    let result = try sandbox.coffer("import", "Cut.tar.gz", "Copy.sqlite", "--salvage")
    #expect(result.status == 3)
    #expect(result.output.contains("\n  lost           unknown\n"))
    #expect(!result.output.contains("digest"))
    #expect(result.errorOutput.contains("error: the index of the archive is lost"))
    #expect(result.errorOutput.contains("restored without the lost data; verify it\n"))
  }

  @Test func scriptsGetTheCounts() throws {
    let whole = try sandbox.coffer("import", "Todo.tar.gz", "A.sqlite", "--salvage", "--json")
    #expect(whole.status == 0)
    let cut = try sandbox.coffer("import", "Cut.tar.gz", "B.sqlite", "--salvage", "--json")
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

  @Test func itGoesNotTogetherWithStrict() throws {
    let result = try sandbox.coffer("import", "Cut.tar.gz", "C.sqlite", "--salvage", "--strict")
    #expect(result.status == 15)
    #expect(try sandbox.added() == ["Cut.tar.gz", "Todo.tar.gz"])
  }
}
