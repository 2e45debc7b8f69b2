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

  /// A command, as the program describes it.
  private struct Command: Decodable {
    var commandName: String
    var subcommands: [Command]?

    /// The names that lead to the commands below this one, and whether each is a group.
    var descendants: [(path: [String], isGroup: Bool)] {
      (subcommands ?? []).filter { $0.commandName != "help" }.flatMap { command in
        let below = command.descendants
        return [([command.commandName], !below.isEmpty)]
          + below.map { ([command.commandName] + $0.path, $0.isGroup) }
      }
    }
  }

  /// The names of all commands and groups, from the program.
  private static func commands() throws -> [(path: [String], isGroup: Bool)] {
    struct Dump: Decodable { var command: Command }
    let result = try Sandbox().coffer("--experimental-dump-help")
    return try JSONDecoder().decode(Dump.self, from: Data(result.outputBytes)).command.descendants
  }

  private static func file(_ path: [String]) -> URL {
    folder.appendingPathComponent("\((["coffer"] + path).joined(separator: "-")).txt")
  }

  private static func text(_ path: [String]) throws -> String {
    try String(contentsOf: file(path), encoding: .utf8)
  }

  @Test func everyCommandExplainsItself() throws {
    let commands = try Self.commands()
    try #require(commands.count >= 6)
    for path in [[]] + commands.map(\.path) {
      let result = try Sandbox().run(path + ["--help"])
      #expect(result.status == 0)
      #expect(result.errorOutput == "")
      if Self.writes {
        try Data(result.outputBytes).write(to: Self.file(path), options: .atomic)
      } else {
        let isCurrent = try result.output == Self.text(path)
        #expect(isCurrent, "Help for \(path) is not what the program says: make docs")
      }
    }
  }

  @Test(arguments: [[], ["help"], ["-h"]])
  func helpIsEasyToFind(_ arguments: [String]) throws {
    let result = try Sandbox().shell("coffer \(arguments.joined(separator: " "))")
    #expect(result.status == 0)
    #expect(try Self.writes || result.output == Self.text([]))
  }

  @Test func helpOfACommandHasTwoNames() throws {
    let sandbox = try Sandbox()
    for (path, _) in try Self.commands() {
      let long = try sandbox.run(path + ["--help"]).output
      #expect(try sandbox.run(["help"] + path).output.hasPrefix("OVERVIEW: "))
      #expect(try sandbox.run(path + ["-h"]).output == long)
    }
  }

  @Test func aGroupShowsItsCommands() throws {
    let sandbox = try Sandbox()
    for (path, isGroup) in try Self.commands() where isGroup {
      let result = try sandbox.run(path)
      #expect(result.status == 0)
      #expect(try result.output == Self.text(path))
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
      coffer tables export -q Trips.sqlite People --format csv || exit
      printf 'email,name\\nnew@example.org,Grace\\n' > PersonEntity.csv
      coffer backup -q Trips.sqlite --vault Backups || exit
      """)
    #expect(result.status == 0)
    return sandbox
  }

  @Test func examplesWorkAsTheyStand() throws {
    try examplesWork(in: Self.text([]))
    for (path, isGroup) in try Self.commands() where !isGroup {
      try examplesWork(in: Self.text(path))
    }
  }

  private func examplesWork(in text: String) throws {
    let sandbox = try Sandbox(copying: Self.prepared.get())
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("  coffer ") }
    #expect((2...3).contains(lines.count), "\(text.prefix(100))")
    for line in lines {
      // Only the target of the backup exists already.
      if line.hasSuffix("export Trips.sqlite Trips.coffer.tar.gz") {
        try FileManager.default.removeItem(atPath: sandbox.file("Trips.coffer.tar.gz"))
      }
      // A watch ends when no one reads its output.
      let isEndless = line.hasPrefix("  coffer watch ")
      let result = try sandbox.shell(isEndless ? "\(line) | true" : String(line))
      #expect(result.status == 0, "\(line): \(result.errorOutput)")
      #expect(!result.errorOutput.contains("Error:"), "\(line): \(result.errorOutput)")
    }
  }
}
