internal import Foundation
internal import TestSupport
internal import Testing

/// Runs the program on a terminal that Python makes.
@Suite(.enabled(if: ProcessRunner.find("python3") != nil, "needs python3 for a terminal"))
struct TerminalTests {
  /// The screen of a terminal after a command, with the status in a separate line.
  private func terminal(
    _ sandbox: Sandbox, _ command: String, variables: String = ""
  ) throws -> String {
    let python = """
      import os, pty, sys
      status = pty.spawn(["/bin/sh", "-c", sys.argv[1]])
      print("status", os.waitstatus_to_exitcode(status))
      """
    _ = try sandbox.directory.write(Array(python.utf8), to: "terminal.py")
    let result = try sandbox.shell(
      "TERM=xterm \(variables) python3 terminal.py \"\\\"$COFFER_UNDER_TEST\\\" \(command)\"")
    return result.output.replacingOccurrences(of: "\r\n", with: "\n")
  }

  @Test func archivesAreNotWrittenToATerminal() throws {
    let text = try terminal(Sandbox(), "export Todo.sqlite -")
    #expect(text.contains("standard output: refused: an archive cannot be written to a terminal\n"))
    #expect(text.hasSuffix("status 15\n"))
  }

  @Test func archivesAreNotReadFromATerminal() throws {
    let text = try terminal(Sandbox(), "import - Copy.sqlite")
    #expect(text.contains("standard input: refused: an archive cannot be read from a terminal\n"))
    #expect(text.hasSuffix("status 15\n"))
  }

  @Test func archivesToVerifyAreNotReadFromATerminalEither() throws {
    let text = try terminal(Sandbox(), "verify -")
    #expect(text.contains("standard input: refused: an archive cannot be read from a terminal\n"))
    #expect(text.hasSuffix("status 15\n"))
  }

  @Test func progressIsShownAndErased() throws {
    let sandbox = try Sandbox()
    var options = GeneratorOptions()
    options.objectCount = 20_000
    try StoreMaker.write(to: sandbox.file("Big.sqlite"), options)
    let text = try terminal(sandbox, "export Big.sqlite archive")
    #expect(text.hasPrefix("\ropening\u{1B}[K\robjects  0 of 20,"))
    #expect(text.contains("\u{1B}[K\r\u{1B}[KExported 20,000 objects of 10 entities to archive\n"))
    let silent = try terminal(sandbox, "export Big.sqlite again --progress never")
    #expect(silent.hasPrefix("Exported 20,000 objects"))
  }

  @Test func colorsAreForTerminalsAndCanBeSwitchedOff() throws {
    let sandbox = try Sandbox()
    #expect(try terminal(sandbox, "inspect Todo.sqlite").contains("\u{1B}[1m"))
    #expect(try !terminal(sandbox, "inspect Todo.sqlite --color never").contains("\u{1B}"))
    let plain = try terminal(sandbox, "inspect Todo.sqlite", variables: "NO_COLOR=1")
    #expect(!plain.contains("\u{1B}"))
  }
}
