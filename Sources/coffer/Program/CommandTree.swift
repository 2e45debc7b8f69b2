internal import ArgumentParser
internal import CoreDataModel

extension ParsableCommand {
  /// The names that lead to the command, such as `vault` and `list`.
  static var path: [String] {
    for command in CofferCommand.configuration.subcommands
    where command.configuration.subcommands.contains(where: { $0 == Self.self }) {
      return [command._commandName, _commandName]
    }
    return [_commandName]
  }

  /// The name after the group's name, such as `vault list`.
  static var fullName: String { path.joined(separator: " ") }

  /// The command with a name in this group; nil if there is none.
  static func subcommand(_ name: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0._commandName == name }
  }
}

/// Allows common options before the command too: `coffer --json export`.
enum LeadingOptions {
  /// The arguments with these options moved after the name of the command.
  static func moved(_ arguments: [String]) -> [String] {
    var command: (any ParsableCommand.Type)? = CofferCommand.self
    var names: [String] = []
    var options: [String] = []
    var left = arguments[...]
    while let group = command, group.configuration.subcommands.isEmpty == false {
      let rest = rest(of: left)
      guard let name = rest.first, !name.hasPrefix("-") else { break }
      options += left.prefix(left.count - rest.count)
      names.append(name)
      left = rest.dropFirst()
      command = group.subcommand(name)
    }
    return names + options + left
  }

  /// The arguments after the leading common options.
  static func rest(of arguments: some Collection<String>) -> ArraySlice<String> {
    var rest = Array(arguments)[...]
    while let option = rest.first, option.hasPrefix("-") {
      if ["--json", "-q", "--quiet"].contains(option) || isAssignment(option) {
        rest.removeFirst()
      } else if ["--progress", "--color"].contains(option), rest.count > 1 {
        rest.removeFirst(2)
      } else {
        break
      }
    }
    return rest
  }

  private static func isAssignment(_ option: String) -> Bool {
    option.hasPrefix("--progress=") || option.hasPrefix("--color=")
  }
}

/// A command that does not exist, with the probable intended command.
struct UnknownCommand {
  /// The name as typed, after the group's name.
  let name: String
  /// The command with the most similar spelling, or with this name in other tools; nil if there is none.
  let guess: String?

  /// The names of some commands in other tools, and earlier names.
  private static let foreign = [
    "dump": "export", "save": "export", "load": "import", "fsck": "verify", "query": "show",
    "snapshots": "vault list", "backups": "vault list", "prune": "vault forget", "compare": "diff",
    "ls": "find", "undo": "apply", "vacuum": "compact", "gc": "compact", "share": "anonymize",
    "fixture": "create --objects",
  ]

  /// Checks the names of commands, also after `help`; nil if each name is known, and for
  /// options.
  init?(_ arguments: [String]) {
    let names = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    var group: any ParsableCommand.Type = CofferCommand.self
    var path: [String] = []
    for name in names {
      if group.configuration.subcommands.isEmpty || name.hasPrefix("-") { return nil }
      path.append(name)
      guard let next = group.subcommand(name) else {
        if path == ["help"] { return nil }
        self.name = path.joined(separator: " ")
        guess = Self.guess(name, in: group)
        return
      }
      group = next
    }
    return nil
  }

  private static func guess(_ name: String, in group: any ParsableCommand.Type) -> String? {
    let commands = group.configuration.subcommands
    let isRoot = group == CofferCommand.self
    if let meant = foreign[name] { return meant }
    if isRoot, let meant = commands.lazy.compactMap({ $0.subcommand(name) }).first {
      return meant.fullName
    }
    let distances = commands.map { ($0.fullName, SimilarName.distance(name, $0._commandName)) }
    return distances.filter { $0.1 <= 2 }.min { $0.1 < $1.1 }?.0
  }

  /// The message, in one or two sentences.
  var message: String {
    let suggestion = guess.map { ". Did you mean '\($0)'?" } ?? ""
    return "Unknown command '\(name)'\(suggestion)"
  }
}
