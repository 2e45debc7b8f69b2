internal import Synchronization

/// A set of primary keys with one bit per key, in pages that exist only where there are keys.
struct KeyBitmap {
  /// The memory limit of all sets of an import together.
  final class Budget: Sendable {
    /// The number of bytes left.
    private let left: Atomic<Int>

    init(_ bytes: Int) { left = Atomic(bytes) }

    /// Reserves bytes from the remaining budget.
    ///
    /// - Returns: false, without a change, if there are not as many.
    fileprivate func take(_ count: Int) -> Bool {
      if left.subtract(count, ordering: .relaxed).newValue >= 0 { return true }
      left.add(count, ordering: .relaxed)
      return false
    }
  }

  /// The words of a page, 4 KiB for 32,768 keys.
  private static let wordCount = 512
  private static let pageBits: Int64 = 15

  private var pages: ContiguousArray<ContiguousArray<UInt64>> = []

  /// Adds a key.
  ///
  /// - Returns: false if the set cannot contain the key, or no memory is left.
  mutating func insert(_ key: Int64, _ budget: Budget) -> Bool {
    guard key >= 0, key < 1 << 31 else { return false }
    let page = Int(key >> Self.pageBits)
    if page >= pages.count || pages[page].isEmpty {
      guard makeRoom(page, budget) else { return false }
    }
    pages[page][Int(key >> 6) % Self.wordCount] |= 1 << UInt64(key & 63)
    return true
  }

  private mutating func makeRoom(_ page: Int, _ budget: Budget) -> Bool {
    let added = max(0, page + 1 - pages.count)
    let cost = added * MemoryLayout<ContiguousArray<UInt64>>.stride + Self.wordCount * 8
    guard budget.take(cost) else { return false }
    pages.append(contentsOf: repeatElement([], count: added))
    pages[page] = ContiguousArray(repeating: 0, count: Self.wordCount)
    return true
  }

  /// Whether each key is in at least one of the given sets.
  func isCovered(by others: [KeyBitmap]) -> Bool {
    for (page, words) in pages.enumerated() where !words.isEmpty {
      let covering = others.compactMap { other in
        page < other.pages.count && !other.pages[page].isEmpty ? other.pages[page] : nil
      }
      for index in words.indices {
        var missing = words[index]
        for other in covering { missing &= ~other[index] }
        if missing != 0 { return false }
      }
    }
    return true
  }
}
