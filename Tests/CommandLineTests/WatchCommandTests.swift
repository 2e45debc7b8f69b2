internal import Foundation
internal import POSIX
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// `coffer watch` as a process: its output shows that it is ready, and a signal ends it.
@Suite struct WatchCommandTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// Runs SQL on the store.
  private func commit(_ sql: String) throws {
    let database = try GeneratorDatabase(path: sandbox.file("Todo.sqlite"))
    try database.registerCoreDataFunctions()
    try database.run(sql)
  }

  /// Waits until the output of a process meets a condition.
  private func wait(_ process: RunningProcess, _ isReached: () -> Bool) throws {
    while !isReached() {
      try #require(!process.hasEnded, "\(process.errorOutputSoFar)")
      sched_yield()
    }
  }

  /// Starts a watch and waits until it is ready.
  private func watch(_ arguments: String...) throws -> RunningProcess {
    let process = try sandbox.start(["watch", "Todo.sqlite"] + arguments)
    try wait(process) { process.errorOutputSoFar.lowercased().contains("watching") }
    return process
  }

  @Test(.timeLimit(.minutes(2)), arguments: [SIGINT, SIGTERM])
  func linesComeAsTheAppSavesUntilASignalComes(_ signal: Int32) throws {
    let process = try watch()
    try commit("UPDATE ZTAGENTITY SET ZNAME = 'first' WHERE Z_PK = 1")
    try wait(process) { process.outputSoFar.contains("first") }
    try commit("DELETE FROM ZVISITENTITY WHERE Z_PK = 1")
    try wait(process) { process.outputSoFar.contains("VisitEntity/p1") }
    process.send(signal: signal)
    let result = try process.wait()
    #expect(result.status == 0)
    #expect(result.signal == nil)
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 4)
    #expect(lines[0].prefixMatch(of: /20..-..-..T..:..:..Z/) != nil)
    #expect(lines[1].hasPrefix("~ TagEntity/p1: name \""))
    #expect(lines[1].hasSuffix(" → \"first\""))
    #expect(lines[3].hasPrefix("- VisitEntity/p1: "))
    #expect(result.errorOutput == "Watching Todo.sqlite. Press Ctrl-C to end.\n")
  }

  @Test(.timeLimit(.minutes(2))) func everyLineIsAnObject() throws {
    let process = try watch("--json", "--verify", "--entity", "VisitEntity")
    try commit(
      "UPDATE ZVISITENTITY SET Z_ENT = 77 WHERE Z_PK = 1; UPDATE ZTAGENTITY SET ZCOLOR = 77")
    try wait(process) { process.outputSoFar.contains("\"new\"") }
    process.send(signal: SIGTERM)
    let result = try process.wait()
    #expect(result.status == 3)
    let types = try result.output.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(object?["type"] as? String)
    }
    #expect(types.first == "changes")
    #expect(types.last == "summary")
    #expect(Set(types) == ["changes", "difference", "finding", "summary"])
    #expect(!result.output.contains("TagEntity"))
    #expect(result.errorOutput.hasPrefix("{\"type\":\"watching\",\"store\":\"Todo.sqlite\","))
  }

  @Test(
    .enabled(if: ProcessRunner.find("sqlite3") != nil, "needs sqlite3"), .timeLimit(.minutes(2)))
  func aClosedPipeEndsTheWatch() throws {
    let result = try sandbox.shell(
      """
      (coffer watch Todo.sqlite 2> errors; echo $? > status) | head -1 > lines &
      until grep -q Watching errors 2> /dev/null; do :; done
      sqlite3 Todo.sqlite "UPDATE ZTAGENTITY SET ZNAME = 'x' WHERE Z_PK = 1"
      wait; wc -l < lines; cat status errors
      """)
    #expect(
      result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        == ["1", "0", "Watching Todo.sqlite. Press Ctrl-C to end."])
  }

  @Test func whatIsNoStoreCannotBeWatched() throws {
    #expect(try sandbox.coffer("watch", "Missing.sqlite").status == 10)
    #expect(try sandbox.coffer("watch", "Todo.sqlite", "--entity", "Tag").status == 10)
    _ = try sandbox.directory.write(Array("text".utf8), to: "Text.sqlite")
    #expect(try sandbox.coffer("watch", "Text.sqlite").status == 10)
    #expect(try sandbox.coffer("export", "Todo.sqlite", "Todo.tar.gz").status == 0)
    let result = try sandbox.coffer("watch", "Todo.tar.gz")
    #expect(result.status == 10)
    #expect(result.errorOutput.contains("coffer import Todo.tar.gz"))
  }
}
