internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

/// Limits can be raised and lowered by the names of their groups.
@Suite struct LimitOptionTests {
  @Test(arguments: [
    "", "entries", "entries=", "entries=x", "entries=-1", "entries=0", "entries=1K", "entries=inf",
    "entries=nan", "entries=0x10", "entries=100.1", "entries=101", "=5", "rows=5", "entrise=5",
    "entry-count=5",
  ])
  func whatIsNoLimitIsWrongUsage(_ text: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer("inspect", "Todo.sqlite", "--archive-limit", text)
    #expect(result.status == 64)
    #expect(result.output == "")
    for group in ArchiveLimits.Group.allCases {
      #expect(result.errorOutput.replacing("\n", with: " ").contains(group.rawValue))
    }
  }

  @Test func aNameThatIsAlmostRightIsGuessed() throws {
    let result = try Sandbox().coffer("inspect", "Todo.sqlite", "--archive-limit", "entrise=5")
    #expect(result.errorOutput.contains("Did you mean 'entries'?"))
  }

  /// Each group with a limit that a small archive can exceed, when it is low.
  static let exceeded = [
    "entries=0.000003", "index=0.00001", "documents=0.00001", "model=0.001", "schema=0.001",
    "lines=0.000002",
  ]

  @Test(arguments: exceeded, ["import a Copy.sqlite", "import - Copy.sqlite < a", "verify a"])
  func anExceededLimitNamesItselfAndItsGroup(_ limit: String, _ command: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let result = try sandbox.shell("coffer \(command) --archive-limit \(limit)")
    let group = limit.prefix { $0 != "=" }
    let names = ArchiveLimits.Name.allCases.filter { $0.group.rawValue == group }
    let error = result.errorOutput.replacing("\n", with: " ")
    #expect(result.status == 12)
    #expect(error.contains("archive too large"))
    #expect(names.contains { error.contains("the limit \($0.rawValue) allows") }, "\(error)")
    #expect(error.contains("--archive-limit \(group)="))
    #expect(try sandbox.added() == ["a"])
  }

  @Test func aRaisedLimitLetsTheArchivePass() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let limits = ArchiveLimits.Group.allCases
      .map { "--archive-limit \($0.rawValue)=100" }.joined(separator: " ")
    #expect(try sandbox.shell("coffer import a Copy.sqlite \(limits)").status == 0)
    let diff = try sandbox.coffer("diff", "a", "Copy.sqlite", "--archive-limit", "lines=2.5")
    #expect(diff.status == 0)
  }
}
