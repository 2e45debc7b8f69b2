internal import CoreDataModel

/// A command that there is not, with the one that was probably meant.
struct UnknownCommand {
  /// The name as typed.
  let name: String
  /// The command with the most similar spelling; nil if none is similar.
  let guess: String?

  /// Examines the first argument; nil if it is an option, a known command or missing.
  init?(_ arguments: [String], among names: [String]) {
    guard let first = arguments.first, !first.hasPrefix("-"), first != "help",
      !names.contains(first)
    else { return nil }
    name = first
    let distances = names.map { (name: $0, distance: SimilarName.distance(first, $0)) }
    guess = distances.filter { $0.distance <= 2 }.min { $0.distance < $1.distance }?.name
  }

  /// The message, in one or two sentences.
  var message: String {
    let suggestion = guess.map { ". Did you mean '\($0)'?" } ?? ""
    return "Unknown command '\(name)'\(suggestion)"
  }
}
