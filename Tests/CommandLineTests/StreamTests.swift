internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct StreamTests {
  @Test func anArchiveThatNobodyReadsIsNoBackup() throws {
    let sandbox = try Sandbox()
    var options = GeneratorOptions()
    options.objectCount = 2000
    try StoreMaker.write(to: sandbox.file("Big.sqlite"), options)
    let result = try sandbox.shell(
      "{ coffer export Big.sqlite - --level 0; echo $? > status; } | head -c 10 > head; cat status")
    #expect(result.output == "1\n")
    #expect(
      result.errorOutput
        == "Error: standard output: output closed: the program that read the pipe has ended\n")
    #expect(sandbox.bytes("head")?.count == 10)
  }

  @Test(
    arguments: [
      "inspect Todo.sqlite", "inspect Todo.sqlite --json", "verify Todo.sqlite",
      "verify Todo.sqlite --json", "verify Todo.sqlite --format junit",
      "verify Todo.sqlite --format sarif", "show Todo.sqlite TodoEntity", "--help", "--version",
      "help vault",
    ])
  func anAnswerThatNobodyReadsEndsQuietly(_ command: String) throws {
    let sandbox = try Sandbox()
    // The reader is gone before the first byte is written.
    let result = try sandbox.shell(
      """
      mkfifo pipe
      { sleep 0 < pipe & } ; exec 3> pipe; wait
      coffer \(command) >&3
      """)
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
  }

  @Test(
    arguments: [
      "verify Damaged.sqlite", "diff a b", "diff a b --all", "changes inspect c --all",
    ])
  func aReaderThatLeavesDoesNotHideWhatACheckFinds(_ command: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      cp Todo.sqlite Damaged.sqlite; coffer export -q Todo.sqlite a
      sqlite3 Damaged.sqlite 'UPDATE Z_PRIMARYKEY SET Z_MAX = 0' || exit 92
      { coffer export Damaged.sqlite b; coffer diff a b -o c; } > out 2>&1
      mkfifo pipe
      { sleep 0 < pipe & } ; exec 3> pipe; wait
      coffer \(command) >&3
      """)
    #expect(result.status == 3)
    #expect(result.errorOutput == "")
  }

  /// It may not have finished: the plan is printed before it writes.
  @Test func aCommandThatWritesFailsWithoutAReader() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      mkfifo pipe
      { sleep 0 < pipe & } ; exec 3> pipe; wait
      coffer compact Todo.sqlite -o New.sqlite >&3
      """)
    #expect(result.status == 1)
    #expect(result.errorOutput == "")
  }

  @Test func closedStreamsAreNotMistakenForFiles() throws {
    let sandbox = try Sandbox()
    let store = sandbox.bytes("Todo.sqlite")
    #expect(try sandbox.shell("coffer export Todo.sqlite - >&-").status == 1)
    #expect(try sandbox.shell("coffer export Todo.sqlite archive >&- 2>&-").status == 1)
    #expect(try sandbox.shell("coffer import archive Copy.sqlite -q <&- >&- 2>&-").status == 0)
    #expect(try sandbox.coffer("diff", "archive", "Copy.sqlite").status == 0)
    #expect(sandbox.bytes("Todo.sqlite") == store)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
  func aFullDiskIsAnError() throws {
    let sandbox = try Sandbox()
    for command in ["export Todo.sqlite -", "inspect Todo.sqlite", "verify Todo.sqlite", "--help"] {
      let result = try sandbox.shell("coffer \(command) > /dev/full")
      #expect(result.status == 1)
    }
  }

  @Test(
    arguments: [["inspect", "Todo.sqlite"], ["diff", "Todo.sqlite", "a"], ["verify", "a"]])
  func answersHaveNoColorsOffTheTerminal(_ command: [String]) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let line = command.joined(separator: " ")
    #expect(try !sandbox.shell("coffer \(line)").outputBytes.contains(0x1B))
    #expect(try !sandbox.shell("coffer \(line) --color never").outputBytes.contains(0x1B))
  }

  @Test func colorsCanBeAskedFor() throws {
    let result = try Sandbox().coffer("inspect", "Todo.sqlite", "--color", "always")
    #expect(result.outputBytes.contains(0x1B))
    let failed = try Sandbox().coffer("inspect", "nope", "--color=always")
    #expect(failed.errorOutput.hasPrefix("\u{1B}[31mError:\u{1B}[0m nope: "))
  }

  @Test func progressIsShownWhenAskedFor() throws {
    let sandbox = try Sandbox()
    var options = GeneratorOptions()
    options.objectCount = 20_000
    try StoreMaker.write(to: sandbox.file("Big.sqlite"), options)
    let shown = try sandbox.coffer("export", "Big.sqlite", "a", "--progress", "always")
    #expect(shown.status == 0)
    #expect(shown.errorOutput.hasPrefix("opening\nobjects  0 of 20,"))
    #expect(shown.errorOutput.contains("objects  20,000 of 20,000, 100 %  "))
    #expect(shown.output.hasPrefix("Exported 20,000 objects"))
    let silent = try sandbox.coffer("export", "Big.sqlite", "b")
    #expect(silent.errorOutput == "")
  }

  @Test func namesCannotControlTheTerminal() throws {
    let result = try Sandbox().coffer("inspect", "evil\u{1B}[2J\u{202E}name")
    #expect(result.status == 10)
    #expect(result.errorOutput.hasPrefix("Error: evil?[2J?name: no such file"))
  }
}
