internal import Foundation
internal import TestSupport
internal import Testing

/// The prompt of `sql` in a real terminal, which tmux is.
@Suite(.enabled(if: Terminal.isThere, "tmux is not installed: the prompt was not tried"))
struct SQLPromptTests {
  /// Whether the system has the library that edits lines.
  private static let hasEditor: Bool = {
    let result = try? ProcessRunner("/bin/sh").run(["-c", "ls /usr/lib/*/libedit.so.2"])
    return result?.status == 0
  }()

  /// The screen at the end of a script that types, without empty lines.
  ///
  /// In it, `type` types a text, `key` presses keys, and `await` waits for a line of the screen.
  private func screen(
    _ sandbox: Sandbox, environment: String = "", _ script: String
  ) throws -> [String] {
    let program = """
      trap : INT
      \(environment) XDG_STATE_HOME="$PWD/state" "$COFFER_UNDER_TEST" sql Todo.sqlite
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

  @Test(.enabled(if: hasEditor, "libedit is not installed: lines are not edited"))
  func linesAreEditedCompletedAndRemembered() throws {
    let sandbox = try Sandbox()
    let lines = try screen(
      sandbox,
      """
      type 'sel'; key Tab; await 'SELECT $|SELECT'; type 'na'; key Tab; await 'name'
      type "|| 'é' AS n fr"; key Tab; await 'FROM'; type 'TagE'; key Tab; await 'TagEntity'
      type 'LIMIT 1\\;'; key Enter; await 'homeé'
      type '.schema TodoEntit.'; key Enter; await 'Hint: Did you mean'
      type '.schema TodoEntity.ta'; key Tab; await 'TodoEntity.tags'; key Enter; await 'destination'
      key Up Up Up; await '> SELECT name'; key C-u
      key C-d
      """)
    #expect(lines.contains("homeé"), "\(lines)")
    #expect(lines.contains("destination  INTEGER"), "\(lines)")
    #expect(lines.last == "$" || lines.contains("status 0"), "\(lines)")
    let history = sandbox.bytes("state/coffer/sql_history").map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(history?.split(separator: "\n").count == 3, "\(history ?? "")")
    #expect(history?.hasPrefix("SELECT name || 'é' AS n FROM TagEntity LIMIT 1;\n") == true)
    let path = sandbox.file("state/coffer/sql_history")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let again = try screen(sandbox, "key Up Up Up; await '> SELECT name'; key C-c")
    #expect(again.contains("Error: interrupted") && again.contains("status 130"), "\(again)")
  }

  @Test func aPlainPromptIsThereWithoutAnEditor() throws {
    let sandbox = try Sandbox()
    let lines = try screen(
      sandbox, environment: "TERM=dumb",
      """
      type 'SELECT 1 +'; key Enter; await '[.][.][.]>'; type '41 AS x\\;'; key Enter; await '^42'
      key C-c
      """)
    #expect(lines.contains("42") && lines.contains("status 130"), "\(lines)")
    #expect(sandbox.bytes("state/coffer/sql_history") == nil)
  }

  @Test func aPipeLeavesNoHistory() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      "echo 'SELECT 1;' | XDG_STATE_HOME=\"$PWD/state\" coffer sql Todo.sqlite")
    #expect(result.output == "1\n1\n")
    #expect(try sandbox.added() == [])
  }
}
