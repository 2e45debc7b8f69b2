internal import Foundation
internal import TestSupport
internal import Testing

/// The prompt of `sql` in a real terminal, which tmux is.
@Suite(.enabled(if: Terminal.isThere, "tmux is not installed: the prompt was not tried"))
struct SQLPromptTests {
  /// The screen at the end of a script that types, without empty lines.
  ///
  /// In it, `type` types a text, `key` presses keys, and `await` waits for a line of the screen.
  private func screen(_ sandbox: Sandbox, _ script: String) throws -> [String] {
    let program = """
      trap : INT
      "$COFFER_UNDER_TEST" sql Todo.sqlite
      echo "status $?"
      """
    _ = try sandbox.directory.write(Array(program.utf8), to: "r")
    let result = try sandbox.shell(
      """
      \(Terminal.functions)
      trap 't kill-server' EXIT
      LC_ALL=C terminal 100 40
      await '^[#$]'
      key 'sh r' Enter
      await 'coffer>'
      \(script)
      await 'status [0-9]'
      screen
      """)
    #expect(result.status == 0, "\(result.output)")
    return result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  @Test func theTerminalPromptsForEachLineOfAStatement() throws {
    let lines = try screen(
      Sandbox(),
      """
      type 'SELECT 1 +'; key Enter; await '[.][.][.]>'; type '41 AS x\\;'; key Enter; await '^42'
      key C-c
      """)
    #expect(lines.contains("42") && lines.contains("status 130"), "\(lines)")
  }

  @Test func anErrorDoesNotEndThePromptButControlDDoes() throws {
    let lines = try screen(
      Sandbox(),
      """
      type '.schema TodoEntit'; key Enter; await 'Hint: Did you mean'
      type 'SELECT name FROM TagEntity LIMIT 1\\;'; key Enter; await 'home'
      key C-d
      """)
    #expect(lines.contains("home") && lines.contains("status 0"), "\(lines)")
  }

  @Test func aPipeHasNoPromptAndLeavesNoFile() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell("echo 'SELECT 1;' | coffer sql Todo.sqlite")
    #expect(result.output == "1\n1\n")
    #expect(try sandbox.added() == [])
  }
}
