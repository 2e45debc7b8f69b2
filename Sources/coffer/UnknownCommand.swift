internal import CoreDataModel

/// A command that there is not, with the one that was probably meant.
struct UnknownCommand {
  /// The name as typed.
  let name: String
  /// The command with the most similar spelling, or with this name in other tools; nil if there is none.
  let guess: String?

  /// What other tools call some commands.
  private static let foreign = [
    "dump": "export", "save": "export", "load": "import", "fsck": "verify", "query": "show",
    "snapshots": "backups", "prune": "forget", "compare": "diff", "ls": "find", "undo": "apply",
    "vacuum": "gc", "compact": "gc",
  ]

  /// Examines the first argument, or what help is asked for; nil if it is an option, a known command or
  /// missing.
  init?(_ arguments: [String], among names: [String]) {
    let command = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
    guard let command, !command.hasPrefix("-"), command != "help", !names.contains(command)
    else { return nil }
    name = command
    let distances = names.map { (name: $0, distance: SimilarName.distance(command, $0)) }
    let similar = distances.filter { $0.distance <= 2 }.min { $0.distance < $1.distance }
    guess = Self.foreign[command] ?? similar?.name
  }

  /// The message, in one or two sentences.
  var message: String {
    let suggestion = guess.map { ". Did you mean '\($0)'?" } ?? ""
    return "Unknown command '\(name)'\(suggestion)"
  }
}
