internal import CoreDataModel

/// A command that there is not, with the one that was probably meant.
struct UnknownCommand {
  /// What was typed.
  let name: String
  /// The command that is spelled almost so; nil where none is.
  let guess: String?

  /// Looks at the first argument; nil where it is an option, a command, or not there at all.
  init?(_ arguments: [String], among names: [String]) {
    guard let first = arguments.first, !first.hasPrefix("-"), first != "help",
      !names.contains(first)
    else { return nil }
    name = first
    let distances = names.map { (name: $0, distance: SimilarName.distance(first, $0)) }
    guess = distances.filter { $0.distance <= 2 }.min { $0.distance < $1.distance }?.name
  }

  /// What is wrong, in one sentence or two.
  var message: String {
    let suggestion = guess.map { ". Did you mean '\($0)'?" } ?? ""
    return "Unknown command '\(name)'\(suggestion)"
  }
}
