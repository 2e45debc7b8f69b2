internal import Foundation
internal import TestSupport
internal import Testing

/// What a real terminal shows while the program works, and afterwards.
///
/// The archive comes through a pipe whose writer waits half-way, so that nothing depends on time.
@Suite(
  .enabled(
    if: Terminal.isThere,
    "tmux is not installed: the line of progress is not tried in a real terminal"))
struct RealTerminalTests {
  /// The screens before and after the writer goes on, or the user interrupts.
  private struct Screens {
    var during: [String]
    var after: [String]
  }

  /// Runs an import in a terminal of so many columns.
  ///
  /// - Parameters:
  ///   - sandbox: has the archive `a`.
  ///   - columns: the width.
  ///   - next: a script for what happens once the line is there.
  /// - Returns: what was to be seen.
  /// - Throws: what running the script throws.
  private func screens(
    _ sandbox: Sandbox, columns: Int, next: String
  ) throws -> Screens {
    let program = """
      trap : INT
      "$COFFER_UNDER_TEST" import - Copy.sqlite < pipe
      echo "status $?"
      """
    _ = try sandbox.directory.write(Array(program.utf8), to: "r")
    let script = """
      \(Terminal.functions)
      mkfifo pipe go
      size=$(wc -c < a)
      { head -c $((size / 2)) a; read line < go; tail -c +$((size / 2 + 1)) a; } > pipe &
      writer=$!
      trap 'kill $writer; t kill-server' EXIT
      terminal \(columns) 20
      key 'sh r' Enter
      await 'objects  [0-9]'
      screen
      echo ==
      \(next)
      await 'status [0-9]'
      screen
      """
    let result = try sandbox.shell(script)
    #expect(result.status == 0, "\(result.output)")
    let parts = result.output.components(separatedBy: "==\n")
    func lines(_ text: String) -> [String] {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }
    return Screens(during: lines(parts[0]), after: parts.count > 1 ? lines(parts[1]) : [])
  }

  private func sandboxWithArchive() throws -> Sandbox {
    let sandbox = try Sandbox()
    var options = GeneratorOptions()
    options.objectCount = 20_000
    try StoreMaker.write(to: sandbox.file("Big.sqlite"), options)
    #expect(try sandbox.coffer("export", "Big.sqlite", "a", "--fast").status == 0)
    return sandbox
  }

  @Test(arguments: [30, 80, 120])
  func theLineStaysOneLineAndIsGoneAtTheEnd(_ columns: Int) throws {
    let sandbox = try sandboxWithArchive()
    let screens = try screens(sandbox, columns: columns, next: "echo > go")
    #expect(screens.during.count == 2)
    let line = try #require(screens.during.last)
    #expect(line.hasPrefix("objects  "))
    #expect(line.count < columns)
    #expect(columns < 80 || line.contains(" MB") || line.contains(" kB"))
    let text = screens.after.joined(separator: "\n")
    #expect(!text.contains("objects  "))
    #expect(text.contains("Imported 20,000 objects"))
    #expect(screens.after.contains("status 0"))
  }

  @Test func anInterruptionLeavesNothingBehind() throws {
    let sandbox = try sandboxWithArchive()
    let screens = try screens(sandbox, columns: 80, next: "key C-c")
    #expect(screens.after.dropFirst().prefix(2) == ["Error: interrupted", "status 130"])
    #expect(try sandbox.added().filter { $0.contains("Copy") } == [])
  }
}
