/// An unknown command, with the one that was probably meant.
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
    let distances = names.map { (name: $0, distance: Self.distance(first, $0)) }
    guess = distances.filter { $0.distance <= 2 }.min { $0.distance < $1.distance }?.name
  }

  /// The message, in one or two sentences.
  var message: String {
    let suggestion = guess.map { ". Did you mean '\($0)'?" } ?? ""
    return "Unknown command '\(name)'\(suggestion)"
  }

  /// The number of letters to change, insert, delete or swap to turn one word into the other.
  static func distance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first), Array(second))
    // Skip words that are far longer than any name.
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
