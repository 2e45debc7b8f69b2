internal import Foundation
internal import TestSupport
internal import Testing

/// The output of `coffer compact`, its statuses and its refusals.
@Suite struct CompactCommandTests {
  private func grown() throws -> Sandbox {
    let sandbox = try Sandbox()
    let made = try sandbox.shell(
      """
      sqlite3 Todo.sqlite "CREATE TABLE bloat (a); INSERT INTO bloat VALUES (zeroblob(900000));
        DROP TABLE bloat; PRAGMA wal_checkpoint(TRUNCATE)" > log
      printf xyz > .Todo_SUPPORT/_EXTERNAL_DATA/AAAAAAAA-0000-4000-8000-000000000001
      """)
    #expect(made.status == 0, "\(made.errorOutput)")
    return sandbox
  }

  @Test func theForecastSaysWhatCanBeWonAndChangesNothing() throws {
    let sandbox = try grown()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: sandbox.file("Todo.sqlite")))
    let result = try sandbox.coffer("compact", "Todo.sqlite", "--dry-run", "--history-before", "3")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.hasPrefix("Todo.sqlite: about 9"))
    #expect(result.output.contains("\n  orphaned files  3 bytes, 1 file\n"))
    #expect(result.output.contains(", 2 transactions, "))
    #expect(result.output.contains(" of free space\n"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: sandbox.file("Todo.sqlite"))) == bytes)
  }

  @Test func whatIsWonIsSaidBeforeAndAfter() throws {
    let sandbox = try grown()
    let result = try sandbox.coffer("compact", "Todo.sqlite")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.hasPrefix("Todo.sqlite: about 9"))
    #expect(result.output.contains("\nDone: 2"))
    #expect(result.output.contains(", 1 external file of 3 bytes removed\n"))
    #expect(try sandbox.coffer("verify", "Todo.sqlite").status == 0)
    let again = try sandbox.coffer("compact", "Todo.sqlite")
    #expect(again.output.hasPrefix("Todo.sqlite: nothing to reclaim\n"))
    #expect(!again.output.contains("Done"))
  }

  /// There may be only files to reclaim.
  @Test func aMainFileOfTheSameSizeIsNoGain() throws {
    let sandbox = try grown()
    _ = try sandbox.coffer("compact", "Todo.sqlite")
    let made = try sandbox.shell(
      "printf xyz > .Todo_SUPPORT/_EXTERNAL_DATA/AAAAAAAA-0000-4000-8000-000000000001")
    #expect(made.status == 0)
    let result = try sandbox.coffer("compact", "Todo.sqlite")
    #expect(result.output.contains(" as before, 1 external file of 3 bytes removed\n"))
    #expect(!result.output.contains("instead of"))
  }

  @Test func programsGetBytes() throws {
    let sandbox = try grown()
    let result = try sandbox.coffer("compact", "Todo.sqlite", "-o", "New.sqlite", "--json")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix(#"{"type":"forecast","bytesBefore":"#) == true)
    #expect(lines.last?.contains(#""target":"New.sqlite""#) == true)
    #expect(lines.last?.contains(#""written":true"#) == true)
    let taken = try sandbox.coffer("compact", "Todo.sqlite", "-o", "New.sqlite")
    #expect(taken.status == 14)
    #expect(try sandbox.coffer("compact", "Todo.sqlite", "-o", "New.sqlite", "--force").status == 0)
  }

  @Test(arguments: [
    (["--dry-run", "-o", "New.sqlite"], "'--dry-run' writes nothing"),
    (["--history-before", "yesterday"], "this is neither a date nor a time"),
  ])
  func optionsThatDoNotFitAreInvalidUsage(_ options: [String], _ message: String) throws {
    let result = try Sandbox().run(["compact", "Todo.sqlite"] + options)
    #expect(result.status == 64)
    #expect(result.errorOutput.contains(message), "\(result.errorOutput)")
  }

  @Test func whatIsNoStoreIsRefused() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("compact", "Missing.sqlite").status == 10)
    #expect(try sandbox.coffer("export", "Todo.sqlite", "Todo.tar.gz").status == 0)
    #expect(try sandbox.coffer("compact", "Todo.tar.gz").status == 10)
    #expect(
      try sandbox.coffer("compact", "Todo.sqlite", "-o", "Todo.sqlite", "--force").status == 15)
  }
}
