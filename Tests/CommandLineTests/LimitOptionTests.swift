internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

/// Limits can be raised and lowered by name.
@Suite struct LimitOptionTests {
  @Test(arguments: [
    "", "entry-count", "entry-count=", "entry-count=x", "entry-count=-1", "entry-count=0",
    "entry-count=1X", "entry-count=99999999999999999999", "entry-count=9999999T", "=5", "rows=5",
    "entry-cuont=5", "document-depth=1001",
  ])
  func whatIsNoLimitIsWrongUsage(_ text: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer("inspect", "Todo.sqlite", "--limit", text)
    #expect(result.status == 64)
    #expect(result.output == "")
    for name in ArchiveLimits.Name.allCases {
      #expect(result.errorOutput.replacing("\n", with: " ").contains(name.rawValue))
    }
  }

  @Test func aNameThatIsAlmostRightIsGuessed() throws {
    let result = try Sandbox().coffer("inspect", "Todo.sqlite", "--limit", "entry-cuont=5")
    #expect(result.errorOutput.contains("Did you mean 'entry-count'?"))
  }

  /// Each limit that a small archive can exceed, when it is low.
  static let exceeded = [
    "entry-count=3", "total-size=1K", "index-size=1K", "index-depth=2", "document-size=256",
    "document-depth=2", "document-values=20", "entities=3", "statements=5", "part-size=64",
    "line-depth=1",
  ]

  @Test(arguments: exceeded, ["import a Copy.sqlite", "import - Copy.sqlite < a", "verify a"])
  func anExceededLimitNamesItself(_ limit: String, _ command: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let result = try sandbox.shell("coffer \(command) --limit \(limit)")
    let name = limit.prefix { $0 != "=" }
    #expect(result.status == 12)
    #expect(result.errorOutput.contains("archive too large"))
    #expect(result.errorOutput.contains("the limit \(name) allows"))
    #expect(result.errorOutput.contains("--limit \(name)="))
    #expect(try sandbox.added() == ["a"])
  }

  @Test func aRaisedLimitLetsTheArchivePass() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let limits = ArchiveLimits.Name.allCases
      .map { "--limit \($0.rawValue)=\($0.largestValue)" }.joined(separator: " ")
    #expect(try sandbox.shell("coffer import a Copy.sqlite \(limits)").status == 0)
    let diff = try sandbox.coffer("diff", "a", "Copy.sqlite", "--limit", "part-size=1G")
    #expect(diff.status == 0)
  }
}
