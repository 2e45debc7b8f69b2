internal import Foundation
internal import TestSupport
internal import Testing

/// `coffer inspect --html`: a page in one step, or none.
@Suite struct InspectPageTests {
  @Test func aPageIsWritten() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer("inspect", "Todo.sqlite", "--html", "Todo.html")
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    #expect(result.output == "Todo.html: 37 objects, no findings\n")
    #expect(try sandbox.added() == ["Todo.html"])
    let page = String(decoding: try #require(sandbox.bytes("Todo.html")), as: UTF8.self)
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
    #expect(page.hasSuffix("</html>\n"))
    #expect(try sandbox.coffer("inspect", "Todo.sqlite", "--html", "-").output == page)
  }

  @Test func aPageThatIsThereStays() throws {
    let sandbox = try Sandbox()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: sandbox.file("Todo.html")))
    let refused = try sandbox.coffer("inspect", "Todo.sqlite", "--html", "Todo.html")
    #expect(refused.status == 14)
    #expect(refused.errorOutput.contains("--force"))
    #expect(sandbox.bytes("Todo.html") == Data("mine".utf8))
    let forced = try sandbox.coffer("inspect", "Todo.sqlite", "--html", "Todo.html", "--force")
    #expect(forced.status == 0)
    #expect(sandbox.bytes("Todo.html")?.starts(with: Data("<!DOCTYPE".utf8)) == true)
    #expect(try sandbox.added() == ["Todo.html"])
  }

  @Test func theStoreIsNotReplaced() throws {
    let sandbox = try Sandbox()
    let before = sandbox.bytes("Todo.sqlite")
    let result = try sandbox.coffer("inspect", "Todo.sqlite", "--html", "Todo.sqlite", "--force")
    #expect(result.status == 15)
    #expect(sandbox.bytes("Todo.sqlite") == before)
  }

  @Test func nothingIsLeftOfAFailure() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer("inspect", "Other.sqlite", "--html", "Todo.html")
    #expect(result.status == 10)
    #expect(try sandbox.coffer("inspect", "Todo.sqlite", "--html", "no/Todo.html").status == 1)
    #expect(try sandbox.added() == [])
  }

  @Test(arguments: [["--force"], ["--html", "-", "--json"]])
  func optionsThatDoNotGoTogetherAreWrong(_ options: [String]) throws {
    #expect(try Sandbox().run(["inspect", "Todo.sqlite"] + options).status == 64)
  }

  @Test func linesOfJSONAreTheSame() throws {
    let sandbox = try Sandbox()
    let usual = try sandbox.coffer("inspect", "Todo.sqlite", "--json")
    let result = try sandbox.coffer("inspect", "Todo.sqlite", "--json", "--html", "Todo.html")
    #expect(result.status == 0)
    #expect(result.output == usual.output)
  }

  @Test func findingsDoNotChangeTheStatus() throws {
    let sandbox = try Sandbox(.danglingToOne)
    let result = try sandbox.coffer("inspect", "Todo.sqlite", "--html", "Todo.html")
    #expect(result.status == 0)
    #expect(result.output == "Todo.html: 37 objects, 1 finding\n")
  }

  @Test func anEncryptedArchiveIsOpened() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      printf 'a passphrase of some length' > pass; chmod 600 pass
      coffer export -q Todo.sqlite Todo.age --passphrase-file pass || exit 90
      coffer inspect -q Todo.age --html Locked.html && exit 91
      coffer inspect Todo.age --html Todo.html --passphrase-file pass || exit 92
      """)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output == "Todo.html: 37 objects, no findings\n")
    #expect(sandbox.bytes("Locked.html") == nil)
    let page = String(decoding: try #require(sandbox.bytes("Todo.html")), as: UTF8.self)
    #expect(page.contains(", encrypted"))
  }

  @Test func anArchiveThatIsDamagedInTheMiddleIsShownUpToThere() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "-q", "Todo.sqlite", "Todo.tgz").status == 0)
    var bytes = try #require(sandbox.bytes("Todo.tgz"))
    let middle = bytes.count / 2
    for offset in middle..<(middle + 64) { bytes[offset] ^= 0x55 }
    try bytes.write(to: URL(fileURLWithPath: sandbox.file("Bad.tgz")))
    let result = try sandbox.coffer("inspect", "Bad.tgz", "--html", "Bad.html")
    #expect(result.status == 0)
    #expect(result.output.hasSuffix(", not read completely\n"))
    let page = String(decoding: try #require(sandbox.bytes("Bad.html")), as: UTF8.self)
    #expect(page.contains("Not all rows could be read."))
  }
}
