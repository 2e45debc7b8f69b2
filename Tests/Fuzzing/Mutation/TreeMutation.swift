internal import StoreGenerator

/// A value made of values, such as a document.
protocol FuzzTree {
  /// The values in it.
  var parts: [Self] { get }
  /// The same with other parts, perhaps more or fewer.
  func replacing(parts: [Self]) -> Self
  /// The same with a name changed, where it has names.
  func renaming(_ position: Int, to name: String) -> Self
  /// Values that are rare in these places.
  static var oddities: [Self] { get }
}

extension FuzzTree {
  private var nodeCount: Int { parts.reduce(1) { $0 + $1.nodeCount } }

  /// The value of a number, counted from the outermost, which is 0.
  private func node(_ number: inout Int) -> Self? {
    if number == 0 { return self }
    for part in parts {
      number -= 1
      if let found = part.node(&number) { return found }
    }
    return nil
  }

  /// The value with the value of that number replaced by the result of a closure.
  private func changing(_ number: inout Int, _ change: (Self) -> Self) -> Self {
    if number == 0 {
      number = -1
      return change(self)
    }
    var parts = parts
    for position in parts.indices {
      number -= 1
      if number < 0 { break }
      parts[position] = parts[position].changing(&number, change)
      if number < 0 { return replacing(parts: parts) }
    }
    return self
  }

  /// The value with one change somewhere in it.
  func mutated(words: [String], _ random: inout SeededGenerator) -> Self {
    let count = nodeCount
    var (place, source) = (random.below(count), random.below(count))
    let other = node(&source) ?? self
    let (kind, choice) = (random.below(7), random.below(1 << 20))
    return changing(&place) { old in
      var parts = old.parts
      switch kind {
      case 0: return other
      case 1, 2: return Self.oddities[choice % Self.oddities.count]
      case 3 where !parts.isEmpty:
        parts.remove(at: choice % parts.count)
        return old.replacing(parts: parts)
      case 4 where !parts.isEmpty:
        parts.insert(parts[choice % parts.count], at: choice / 7 % parts.count)
        return old.replacing(parts: parts)
      case 5 where !parts.isEmpty && !words.isEmpty:
        return old.renaming(choice % parts.count, to: words[choice / 7 % words.count])
      case 6 where parts.count > 1:
        parts.swapAt(choice % parts.count, choice / 7 % parts.count)
        return old.replacing(parts: parts)
      default:
        parts.append(other)
        return old.replacing(parts: parts)
      }
    }
  }
}
