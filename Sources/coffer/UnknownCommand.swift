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
    let distances = names.map { (name: $0, distance: Self.distance(first, $0)) }
    guess = distances.filter { $0.distance <= 2 }.min { $0.distance < $1.distance }?.name
  }

  /// What is wrong, in one sentence or two.
  var message: String {
    let suggestion = guess.map { ". Did you mean '\($0)'?" } ?? ""
    return "Unknown command '\(name)'\(suggestion)"
  }

  /// How many letters must be changed, added, left out or swapped with the next to get from one
  /// word to the other.
  static func distance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first), Array(second))
    // Words far longer than any name here are not looked at letter by letter.
    guard a.count <= 50 else { return a.count }
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
