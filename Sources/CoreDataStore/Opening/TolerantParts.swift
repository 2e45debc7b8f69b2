internal import CoreDataModel

/// Reads parts of a store that may be damaged, and keeps in mind which were.
///
/// SQLite calls a page that the disk does not give damaged too (`SQLITE_IOERR_CORRUPTFS` becomes
/// `SQLITE_CORRUPT`), and the same page may well be given the next time. So a part that was replaced
/// must be told of: no later check need find anything wrong with it.
struct TolerantParts {
  /// Whether a part may be replaced at all.
  let isTolerant: Bool
  /// The parts that could not be read, a sentence each, in the order of reading.
  private(set) var unreadable: [String] = []

  init(isTolerant: Bool) { self.isTolerant = isTolerant }

  /// Reads a part.
  ///
  /// - Parameters:
  ///   - name: what it is called to people.
  ///   - substitute: replaces the part if it is missing or damaged.
  ///   - body: reads it.
  /// - Returns: the part or its substitute.
  /// - Throws: what `body` throws if nothing is tolerated, or an error other than damage or a
  ///   missing table.
  mutating func read<T>(
    _ name: String, or substitute: T, _ body: () throws(CofferError) -> T
  ) throws(CofferError) -> T {
    do {
      return try body()
    } catch {
      guard isTolerant, error.code == .notCoreData || error.isDamage else { throw error }
      if error.isDamage { note(name, error.detail) }
      return substitute
    }
  }

  /// Notes that a part could not be read.
  mutating func note(_ name: String, _ detail: String) {
    unreadable.append("\(name) cannot be read: \(detail)")
  }
}
