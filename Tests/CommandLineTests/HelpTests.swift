internal import Foundation
internal import TestSupport
internal import Testing

/// The help texts, letter by letter: what a person reads first is changed on purpose or not at all.
///
/// They stand in `Help/`, a file for each command; `make docs` writes them.
@Suite struct HelpTests {
  private static let writes = ProcessInfo.processInfo.environment["COFFER_WRITE_DOCS"] == "1"
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Help")

  /// The names of all commands, as the program tells them.
  private static func commands() throws -> [String] {
    struct Command: Decodable {
      var commandName: String
      var subcommands: [Command]?
    }
    struct Dump: Decodable { var command: Command }
    let result = try Sandbox().coffer("--experimental-dump-help")
    let dump = try JSONDecoder().decode(Dump.self, from: Data(result.outputBytes))
    return (dump.command.subcommands ?? []).map(\.commandName).filter { $0 != "help" }
  }

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent("\(name).txt"), encoding: .utf8)
  }

  @Test func everyCommandExplainsItself() throws {
    let commands = try Self.commands()
    try #require(commands.count >= 6)
    for name in ["coffer"] + commands {
      let arguments = name == "coffer" ? ["--help"] : [name, "--help"]
      let result = try Sandbox().run(arguments)
      #expect(result.status == 0)
      #expect(result.errorOutput == "")
      if Self.writes {
        let file = Self.folder.appendingPathComponent("\(name).txt")
        try Data(result.outputBytes).write(to: file, options: .atomic)
      } else {
        let isCurrent = try result.output == Self.text(name)
        #expect(isCurrent, "Help/\(name).txt is not what the program says: make docs")
      }
    }
  }

  @Test(arguments: [[], ["help"], ["-h"]])
  func helpIsEasyToFind(_ arguments: [String]) throws {
    let result = try Sandbox().shell("coffer \(arguments.joined(separator: " "))")
    #expect(result.status == 0)
    #expect(try Self.writes || result.output == Self.text("coffer"))
  }

  @Test func helpOfACommandHasTwoNames() throws {
    let sandbox = try Sandbox()
    for command in try Self.commands() {
      let long = try sandbox.coffer(command, "--help").output
      #expect(try sandbox.coffer("help", command).output.hasPrefix("OVERVIEW: "))
      #expect(try sandbox.coffer(command, "-h").output == long)
    }
  }

  @Test func theVersionIsANumber() throws {
    let result = try Sandbox().coffer("--version")
    #expect(result.status == 0)
    #expect(try /[0-9]+\.[0-9]+\.[0-9]+\n/.wholeMatch(in: result.output) != nil)
  }

  /// What the examples work on; every command gets a copy.
  private static let prepared = Result { () throws -> Sandbox in
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      for name in Trips Monday Tuesday; do
        coffer export -q Todo.sqlite $name.coffer.tar.gz || exit
      done
      for name in Day.coffer-changes Monday Tuesday; do
        coffer diff -q Monday.coffer.tar.gz Tuesday.coffer.tar.gz -o $name.tar.gz || exit
      done
      for name in Trips Phone Mac Old; do
        coffer import -q Trips.coffer.tar.gz $name.sqlite || exit
      done
      mkdir Trips.xcappdata
      coffer export -q Trips.sqlite --format csv --output-folder People || exit
      printf 'email,name\\nnew@example.org,Grace\\n' > PersonEntity.csv
      coffer backup -q Trips.sqlite --vault Backups || exit
      """)
    #expect(result.status == 0)
    return sandbox
  }

  @Test func examplesWorkAsTheyStand() throws {
    for name in try ["coffer"] + Self.commands() { try examplesWork(in: Self.text(name)) }
  }

  private func examplesWork(in text: String) throws {
    let sandbox = try Sandbox(copying: Self.prepared.get())
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("  coffer ") }
    #expect((2...3).contains(lines.count), "\(text.prefix(100))")
    for line in lines {
      // Only the file to be backed up to is there already.
      if line.hasSuffix("export Trips.sqlite Trips.coffer.tar.gz") {
        try FileManager.default.removeItem(atPath: sandbox.file("Trips.coffer.tar.gz"))
      }
      // A watch ends when nobody reads what it says.
      let isEndless = line.hasPrefix("  coffer watch ")
      let result = try sandbox.shell(isEndless ? "\(line) | true" : String(line))
      #expect(result.status == 0, "\(line): \(result.errorOutput)")
      #expect(!result.errorOutput.contains("Error:"), "\(line): \(result.errorOutput)")
    }
  }
}
