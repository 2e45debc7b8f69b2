/// Gives each thing a unique name, ignoring case, because file systems and databases may consider
/// `Item` and `item` equal.
struct UniqueNames {
  private var taken: Set<String> = []

  /// Claims a name, or the first free one with a suffix such as `_2` or `_3`.
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
