/// Gives each of several things a name of its own, whatever the case of letters: file systems and
/// databases may take `Item` and `item` for the same.
struct UniqueNames {
  private var taken: Set<String> = []

  /// Takes a name, or the first of it with `_2`, `_3` … behind it that is free.
  mutating func take(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }

  /// Whether a name is free.
  func isFree(_ name: String) -> Bool { !taken.contains(name.lowercased()) }
}
