internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct RoundTripTests {
  @Test func aStoreGoesOutAndComesBackTheSame() throws {
    let sandbox = try Sandbox()
    let export = try sandbox.coffer("export", "Todo.sqlite", "Todo.coffer.tar.gz")
    #expect(export.status == 0)
    #expect(export.output.hasPrefix("Exported 37 objects of 10 entities to Todo.coffer.tar.gz\n"))
    #expect(export.errorOutput == "")
    let restored = try sandbox.coffer("import", "Todo.coffer.tar.gz", "Copy.sqlite")
    #expect(restored.status == 0)
    #expect(restored.output.hasPrefix("Imported 37 objects of 10 entities to Copy.sqlite\n"))
    #expect(restored.errorOutput == "")
    #expect(try sandbox.coffer("export", "Copy.sqlite", "Copy.coffer.tar.gz").status == 0)
    let archive = try #require(sandbox.bytes("Todo.coffer.tar.gz"))
    #expect(archive == sandbox.bytes("Copy.coffer.tar.gz"))
    #expect(try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite").status == 0)
  }

  @Test func archivesGoThroughPipes() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell("coffer export Todo.sqlite - | coffer import - Copy.sqlite")
    #expect(result.status == 0)
    // The summary of the export, whose answer is the archive, goes to standard error.
    #expect(result.errorOutput.hasPrefix("Exported 37 objects of 10 entities to standard output\n"))
    #expect(result.output.hasPrefix("Imported 37 objects"))
    #expect(try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite").status == 0)
  }

  @Test func thePipedArchiveIsTheOneInTheFile() throws {
    let sandbox = try Sandbox()
    let piped = try sandbox.coffer("export", "Todo.sqlite", "-", "--quiet")
    #expect(piped.status == 0)
    #expect(piped.errorOutput == "")
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a", "--threads", "1").status == 0)
    #expect(sandbox.bytes("a") == Data(piped.outputBytes))
    let restored = try sandbox.coffer("import", "-", "Copy.sqlite", input: piped.outputBytes)
    #expect(restored.status == 0)
  }

  @Test func quietCommandsPrintNothing() throws {
    let sandbox = try Sandbox()
    let results = [
      try sandbox.coffer("export", "Todo.sqlite", "a", "-q"),
      try sandbox.coffer("import", "a", "Copy.sqlite", "--quiet"),
      try sandbox.coffer("inspect", "a", "--quiet"),
      try sandbox.coffer("--quiet", "diff", "a", "Copy.sqlite"),
    ]
    for result in results {
      #expect(result.status == 0)
      #expect(result.outputBytes == [] && result.errorBytes == [])
    }
  }

  @Test(
    arguments: [
      ["--level", "0"], ["--fast"], ["--small"], ["--level", "12"], ["--compression", "zstd"],
      ["--compression", "zstd", "--small"],
    ])
  func everyLevelRestoresTheSame(_ options: [String]) throws {
    let sandbox = try Sandbox()
    let level = options.joined(separator: " ")
    let result = try sandbox.shell(
      "coffer export Todo.sqlite a \(level) && coffer import a Copy.sqlite"
        + " && coffer diff Todo.sqlite Copy.sqlite")
    #expect(result.status == 0)
    #expect(result.output.hasSuffix("are the same: 37 objects\n"))
  }

  @Test func aStoreCanComeBackWithAnotherUUID() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      coffer export -q Todo.sqlite a
      coffer import -q a Copy.sqlite --store-uuid new --history drop --cloudkit drop || exit 1
      coffer diff Todo.sqlite Copy.sqlite
      """)
    #expect(result.status == 3)
    #expect(result.output.contains("~ store: UUID\n"))
    #expect(result.output.contains("rows: 21 removed\n"))
  }

  @Test func sourcesStayAsTheyAre() throws {
    let sandbox = try Sandbox()
    let before = try sandbox.directory.contents()
    let store = sandbox.bytes("Todo.sqlite")
    _ = try sandbox.coffer("inspect", "Todo.sqlite")
    _ = try sandbox.coffer("verify", "Todo.sqlite", "--deep")
    _ = try sandbox.coffer("export", "Todo.sqlite", "-")
    _ = try sandbox.coffer("diff", "Todo.sqlite", "Todo.sqlite")
    #expect(try sandbox.directory.contents() == before)
    #expect(sandbox.bytes("Todo.sqlite") == store)
  }
}
