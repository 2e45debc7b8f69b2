internal import Foundation
internal import POSIX
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Several programs at work on the same files.
@Suite struct TwoAtOnceTests {
  /// Archives of two stores that differ in size, both with external files: `a` and `b`.
  private func makeArchives(_ sandbox: Sandbox) throws {
    for (name, count, seed) in [("a", 3_000, 1), ("b", 1_000, 2)] {
      var options = GeneratorOptions()
      options.objectCount = count
      options.seed = UInt64(seed)
      options.externalCount = 30
      let store = sandbox.file("Source-\(name).sqlite")
      try StoreMaker.write(to: store, options)
      #expect(try sandbox.coffer("export", store, name, "--fast").status == 0)
    }
  }

  /// Checks that a store is exactly the content of one of the archives.
  private func checkWhole(_ sandbox: Sandbox, _ store: String, _ archives: [String]) throws {
    let differences = try archives.map { name in
      try sandbox.coffer("diff", name, store, "--quiet").status
    }
    #expect(differences.contains(0), "the store is neither of \(archives)")
  }

  private func hidden(_ sandbox: Sandbox) throws -> [String] {
    try sandbox.added().filter { $0.hasPrefix(".") && !$0.hasSuffix("_SUPPORT") }
  }

  @Test func ofTwoImportsOneMakesTheStore() throws {
    let sandbox = try Sandbox()
    try makeArchives(sandbox)
    for round in 0..<4 {
      let store = "Target-\(round).sqlite"
      let both = try ["a", "b"].map { try sandbox.start("import", $0, store) }
      let statuses = try both.map { try $0.wait().status }
      #expect(statuses.sorted() == [0, 14])
      try checkWhole(sandbox, store, [statuses[0] == 0 ? "a" : "b"])
      #expect(try hidden(sandbox) == [])
    }
  }

  @Test func twoReplacementsFollowEachOther() throws {
    let sandbox = try Sandbox()
    try makeArchives(sandbox)
    #expect(try sandbox.coffer("import", "a", "Target.sqlite").status == 0)
    for _ in 0..<4 {
      let both = try ["a", "b"].map { try sandbox.start("import", $0, "Target.sqlite", "--force") }
      let statuses = try both.map { try $0.wait().status }
      #expect(statuses == [0, 0])
      try checkWhole(sandbox, "Target.sqlite", ["a", "b"])
      #expect(try hidden(sandbox) == [])
    }
  }

  @Test func anExportDuringAReplacementIsOfOneStoreOrNoticesIt() throws {
    let sandbox = try Sandbox()
    try makeArchives(sandbox)
    #expect(try sandbox.coffer("import", "a", "Target.sqlite").status == 0)
    var isB = false
    for round in 0..<6 {
      let next = isB ? "a" : "b"
      let export = try sandbox.start("export", "Target.sqlite", "out-\(round)", "--fast")
      let replacement = try sandbox.start("import", next, "Target.sqlite", "--force")
      let exported = try export.wait().status
      let replaced = try replacement.wait().status
      #expect(replaced == 0 || replaced == 11)
      #expect(exported == 0 || exported == 11)
      if replaced == 0 { isB.toggle() }
      if exported == 0 {
        let found = sandbox.bytes("out-\(round)")
        #expect(found == sandbox.bytes("a") || found == sandbox.bytes("b"))
      } else {
        #expect(sandbox.bytes("out-\(round)") == nil)
      }
      try checkWhole(sandbox, "Target.sqlite", [isB ? "b" : "a"])
    }
  }

  @Test func ofTwoRepairsEachIsRefusedOrFindsAWholeStore() throws {
    for _ in 0..<3 {
      let sandbox = try Sandbox(.danglingPair)
      try Damage.staleMaximum.apply(to: sandbox.file("Todo.sqlite"))
      let both = try ["A", "B"].map {
        try sandbox.start(
          "repair", "Todo.sqlite", "--fix", "dangling-pair", "--apply", "--undo", $0)
      }
      let statuses = try both.map { try $0.wait().status }
      #expect(statuses.contains(0))
      #expect(statuses.allSatisfy { $0 == 0 || $0 == 11 })
      #expect(try hidden(sandbox) == [])
      // The first one has the undo file.
      #expect(try sandbox.added().count == 1)
      #expect(try sandbox.coffer("verify", "Todo.sqlite").status == 0)
    }
  }

  @Test func aStoreThatAnAppHasOpenIsNotReplaced() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let app = try GeneratorDatabase(path: sandbox.file("Todo.sqlite"))
    #expect(try app.integer("SELECT count(*) FROM Z_METADATA") == 1)
    let result = try sandbox.coffer("import", "a", "Todo.sqlite", "--force")
    #expect(result.status == 11)
    #expect(try app.integer("SELECT count(*) FROM Z_METADATA") == 1)
    #expect(try sandbox.added() == ["a"])
  }

  @Test func whatAKilledImportLeavesIsRemovedByTheNext() throws {
    let sandbox = try Sandbox()
    try makeArchives(sandbox)
    var options = GeneratorOptions()
    options.objectCount = 50_000
    try StoreMaker.write(to: sandbox.file("Big.sqlite"), options)
    #expect(try sandbox.coffer("export", "Big.sqlite", "big", "--fast").status == 0)
    try kill(try sandbox.start("import", "big", "Target.sqlite", "--progress", "always"))
    let left = try #require(try hidden(sandbox).first)
    #expect(left.hasPrefix(".coffer-import-Target.sqlite-"))
    // Another target, whose name begins alike, is not concerned.
    #expect(try sandbox.coffer("import", "a", "Target.sqlite-x.sqlite").status == 0)
    #expect(try hidden(sandbox) == [left])
    #expect(try sandbox.coffer("import", "a", "Target.sqlite").status == 0)
    #expect(try hidden(sandbox) == [])
    try kill(try sandbox.start("export", "Big.sqlite", "out", "--progress", "always"))
    let partial = try #require(try hidden(sandbox).first)
    #expect(partial.hasPrefix(".out.coffer-partial-"))
    #expect(try sandbox.coffer("export", "Target.sqlite", "out").status == 0)
    #expect(try hidden(sandbox) == [])
  }

  @Test func whatALivingImportBuildsIsNotRemovedByAnother() throws {
    let sandbox = try Sandbox()
    try makeArchives(sandbox)
    // The archive comes through a pipe whose writer waits for the other import.
    let script = """
      mkfifo pipe
      coffer import - Target.sqlite < pipe & first=$!
      exec 3> pipe
      head -c 100000 a >&3
      while ! ls -d .coffer-import-Target.sqlite-* > list 2>/dev/null; do :; done
      coffer import b Target.sqlite || exit 20
      ls -d .coffer-import-Target.sqlite-* | cmp - list || exit 21
      tail -c +100001 a >&3
      exec 3>&-
      wait $first
      exit $?
      """
    #expect(try sandbox.shell(script).status == 14)
    #expect(try hidden(sandbox) == [])
    try checkWhole(sandbox, "Target.sqlite", ["b"])
  }

  /// Kills a program as soon as it is at work.
  private func kill(_ process: RunningProcess) throws {
    while !process.errorOutputSoFar.contains("objects ") { sched_yield() }
    process.send(signal: SIGKILL)
    #expect(try process.wait().signal == SIGKILL)
  }
}
