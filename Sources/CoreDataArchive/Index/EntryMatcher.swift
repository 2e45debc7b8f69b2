internal import CoreDataModel

/// Finds the entry for each record of an index: of a doubled name the first for the first, and so on.
struct EntryMatcher {
  /// The result for a record.
  enum Match: Equatable {
    /// The entry with this number, counted as they came.
    case entry(Int)
    /// No entry of the name came.
    case missing
    /// Every entry of the name has a record already.
    case exhausted
  }

  /// The number of the next entry of each name; a nil inside where all have a record.
  private var waiting: [ExactString: Int?]
  /// The number of the next entry of the same name, for those that have one.
  private var following: [Int: Int] = [:]
  private let later: Set<Int>

  /// Takes the entries in the order in which they came.
  init(_ entries: [ArchiveIndex.Entry]) {
    waiting = Dictionary(minimumCapacity: entries.count)
    for (number, entry) in entries.enumerated().reversed() {
      if let next = waiting.updateValue(number, forKey: ExactString(entry.name)) {
        following[number] = next
      }
    }
    later = Set(following.values)
  }

  /// The entry for the next record of a name.
  mutating func match(_ name: String) -> Match {
    guard let next = waiting[ExactString(name)] else { return .missing }
    guard let number = next else { return .exhausted }
    waiting.updateValue(following[number], forKey: ExactString(name))
    return .entry(number)
  }

  /// Whether an entry of the same name came before that one.
  func isLater(_ number: Int) -> Bool { later.contains(number) }
}
