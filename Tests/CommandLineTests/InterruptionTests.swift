internal import Foundation
internal import POSIX
internal import TestSupport
internal import Testing

@Suite struct InterruptionTests {
  /// Makes a store that takes a while.
  private func makeStore(_ sandbox: Sandbox) throws {
    var options = GeneratorOptions()
    options.objectCount = 100_000
    try StoreMaker.write(to: sandbox.file("Big.sqlite"), options)
  }

  /// Waits until the program shows that it is at work, and sends a signal.
  private func interrupt(_ process: RunningProcess, _ signal: Int32) throws -> ProcessResult {
    while !process.errorOutputSoFar.contains("objects") {
      try #require(kill(process.identifier, 0) == 0)
      sched_yield()
    }
    process.send(signal: signal)
    return try process.wait()
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func anInterruptedExportLeavesNothing(_ signal: Int32) throws {
    let sandbox = try Sandbox()
    try makeStore(sandbox)
    let process = try sandbox.start("export", "Big.sqlite", "a", "--progress", "always")
    let result = try interrupt(process, signal)
    #expect(result.status == 130)
    #expect(result.signal == nil)
    #expect(result.output == "")
    #expect(result.errorOutput.hasSuffix("Error: interrupted\n"))
    #expect(try sandbox.added() == ["Big.sqlite"])
  }

  @Test func anInterruptedImportLeavesNothing() throws {
    let sandbox = try Sandbox()
    try makeStore(sandbox)
    #expect(try sandbox.coffer("export", "Big.sqlite", "a", "--fast").status == 0)
    let process = try sandbox.start("import", "a", "Copy.sqlite", "--progress", "always")
    let result = try interrupt(process, SIGINT)
    #expect(result.status == 130)
    #expect(result.output == "")
    #expect(try sandbox.added() == ["Big.sqlite", "a"])
  }

  @Test(arguments: ["text", "json", "junit", "sarif"])
  func anInterruptedVerificationSaysNothing(_ format: String) throws {
    let sandbox = try Sandbox()
    try makeStore(sandbox)
    let process = try sandbox.start(
      "verify", "Big.sqlite", "--progress", "always", "--format", format)
    let result = try interrupt(process, SIGINT)
    #expect(result.status == 130)
    #expect(result.output == "")
    #expect(result.errorOutput.contains("interrupted"))
    #expect(try sandbox.added() == ["Big.sqlite"])
  }
}
