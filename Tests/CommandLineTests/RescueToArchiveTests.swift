internal import Foundation
internal import TestSupport
internal import Testing

/// A damaged store that is rescued to an archive, as a person and a script see it.
@Suite struct RescueToArchiveTests {
  private func broken() throws -> Sandbox {
    let sandbox = try Sandbox()
    try FileManager.default.removeItem(atPath: sandbox.file("Todo.sqlite"))
    try SampleStore.write(to: sandbox.file("Todo.sqlite"), journal: .delete)
    try Damage.brokenPage.apply(to: sandbox.file("Todo.sqlite"))
    return sandbox
  }

  @Test func aDamagedStoreIsRefusedWithAHint() throws {
    let sandbox = try broken()
    let result = try sandbox.coffer("export", "Todo.sqlite", "a")
    #expect(result.status == 12)
    #expect(result.errorOutput.contains("Hint: "))
    #expect(result.errorOutput.contains("coffer rescue STORE --output NEW"))
    #expect(try sandbox.added() == [])
  }

  @Test func whatCanBeReadIsExportedAndTheRestIsNamed() throws {
    let sandbox = try broken()
    let before = sandbox.bytes("Todo.sqlite")
    let result = try sandbox.coffer("rescue", "Todo.sqlite", "-o", "a.tar.gz")
    #expect(result.status == 3)
    #expect(result.output.contains("Rescued 30 objects"))
    #expect(result.output.contains("  lost           7 rows, 1 whole table, "))
    #expect(result.errorOutput.contains("error: TagEntity: no row of the table could be read"))
    #expect(result.errorOutput.contains("error: TagEntity/p1: data could not be read"))
    #expect(result.errorOutput.contains("TagEntity/p1 was lost"))
    #expect(sandbox.bytes("Todo.sqlite") == before)
    #expect(try sandbox.added() == ["a.tar.gz"])
  }

  @Test func theArchiveSaysThatItWasSalvaged() throws {
    let sandbox = try broken()
    #expect(try sandbox.coffer("rescue", "Todo.sqlite", "-o", "a.tar.gz", "--quiet").status == 3)
    let verified = try sandbox.coffer("verify", "a.tar.gz", "--all")
    #expect(verified.output.contains("damaged store"))
    let inspected = try sandbox.coffer("inspect", "a.tar.gz")
    #expect(inspected.output.contains("from a damaged store; lost: 7 rows"))
    let imported = try sandbox.coffer("import", "a.tar.gz", "Copy.sqlite")
    #expect(imported.status == 3)
    #expect(imported.errorOutput.contains("the archive was made from a damaged store"))
  }

  @Test func programsGetTheNumbers() throws {
    let sandbox = try broken()
    let result = try sandbox.coffer("rescue", "Todo.sqlite", "-o", "a.tar.gz", "--json")
    let last = try #require(result.output.split(separator: "\n").last)
    #expect(last.contains("\"salvaged\":true"))
    #expect(last.contains("\"lostRows\":7,\"lostRowsExact\":true"))
    #expect(last.contains("\"lostValues\":0,\"lostTables\":1,\"missingLogBytes\":0"))
    #expect(result.output.contains("\"code\":\"lost-rows\",\"check\":\"sqlite\""))
  }

  @Test func aStoreWithoutItsLogLeadsToSalvageWhichSaysWhatIsUnknown() throws {
    let sandbox = try Sandbox()
    let script = """
      import os, sqlite3
      if os.fork() == 0:
        store = sqlite3.connect('Todo.sqlite')
        store.execute('UPDATE ZTAGENTITY SET Z_OPT = 9')
        store.commit()
        os._exit(0)
      os.wait()
      os.remove('Todo.sqlite-wal')
      """
    #expect(try sandbox.shell("python3 -c \"\(script)\"").status == 0)
    let refused = try sandbox.coffer("export", "Todo.sqlite", "a")
    #expect(refused.status == 10)
    #expect(refused.errorOutput.contains("Copy Todo.sqlite-wal from where"))
    #expect(refused.errorOutput.contains("coffer rescue STORE --output NEW"))
    let result = try sandbox.coffer("rescue", "Todo.sqlite", "-o", "a.tar.gz")
    #expect(result.status == 3)
    let unknown = "rows that were only in the -wal, and how many is unknown"
    #expect(result.output.contains("  lost           \(unknown)"))
    #expect(try sandbox.coffer("inspect", "a.tar.gz").output.contains("lost: \(unknown)"))
  }

  @Test func aSoundStoreIsNotSalvaged() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let result = try sandbox.coffer("rescue", "Todo.sqlite", "-o", "b.tar.gz")
    #expect(result.status == 0)
    #expect(!result.output.contains("lost"))
    #expect(sandbox.bytes("a") == sandbox.bytes("b.tar.gz"))
  }
}
