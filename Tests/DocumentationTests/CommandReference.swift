internal import Foundation
internal import TestSupport

/// What the built program says about itself.
struct CommandReference {
  /// One command.
  struct Command: Decodable {
    /// An argument or option.
    struct Argument: Decodable {
      /// A way to write it.
      struct Name: Decodable {
        var kind: String
        var name: String

        /// The name with its dashes.
        var text: String { (kind == "short" ? "-" : "--") + name }
      }

      var names: [Name]?
      var shouldDisplay: Bool
    }

    var commandName: String
    var discussion: String?
    var arguments: [Argument]?
    var subcommands: [Command]?

    /// The commands in this group with the names of both, without `help`; the command itself if it is none.
    var leaves: [Command] {
      guard let subcommands, !subcommands.isEmpty else { return [self] }
      return subcommands.filter { $0.commandName != "help" }.flatMap(\.leaves).map { command in
        var command = command
        command.commandName = "\(commandName) \(command.commandName)"
        return command
      }
    }

    /// The options that are shown, with their dashes.
    var options: [String] {
      (arguments ?? []).filter(\.shouldDisplay).flatMap { ($0.names ?? []).map(\.text) }
    }

    /// The exit statuses that the help lists.
    var statuses: [String] {
      guard let list = discussion?.components(separatedBy: "EXIT STATUS:\n").last,
        list != discussion
      else { return [] }
      return list.split(separator: "\n").compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
    }
  }

  private struct Dump: Decodable {
    var command: Command
  }

  /// The program itself.
  let root: Command
  /// Its commands, without `help`, such as `export` and `vault list`.
  let commands: [Command]

  /// Asks the program.
  init() throws {
    let result = try ProcessRunner(BuiltProgram.path()).run(["--experimental-dump-help"])
    root = try JSONDecoder().decode(Dump.self, from: Data(result.outputBytes)).command
    commands = (root.subcommands ?? []).filter { $0.commandName != "help" }.flatMap(\.leaves)
  }
}
