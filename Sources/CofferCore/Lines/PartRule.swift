/// Where the parts of a table end: a rule that looks at each row alone.
///
/// A row ends its part by chance, drawn from its key, in proportion to its size. Whether it does depends
/// on no other row, so that a row which is inserted, deleted or changed changes its own part and at most
/// the next one; all others keep their bytes. archive-format.md, section 3.2, has the rule with
/// examples.
///
/// Parts have 512 KiB on average. One in 3,000 would exceed eight times as much; it ends there.
package struct PartRule: Sendable, Equatable {
  /// The rule of the format.
  package static let standard = PartRule(averageBits: 19)

  /// The bytes of lines, or of blobs, at which a part always ends.
  package let most: Int
  private let shift: UInt64
  /// The combined number for the keys of the rows so far; nil if a key is not an integer.
  private var hash: UInt64? = 0

  /// Makes a rule.
  ///
  /// - Parameter averageBits: parts have two to this power bytes on average, and a row of as many always
  ///   ends its part. Only tests have another number than ``standard``.
  init(averageBits: UInt64) {
    shift = 64 - averageBits
    most = 8 << averageBits
  }

  /// Begins with the first column of the next row's key.
  package mutating func begin() { hash = 0 }

  /// Adds a column of the key: the next one of a pair, the only one of other rows.
  ///
  /// - Parameter key: the integer; nil for anything else, and then the row ends no part.
  package mutating func add(_ key: Int64?) {
    guard let key, let before = hash else { return hash = nil }
    hash = SeededRandom.mixed(before ^ UInt64(bitPattern: key))
  }

  /// Decides whether a part ends after the row.
  ///
  /// - Parameter size: the bytes of its line and its blobs, without the digits of the blobs' offsets,
  ///   which depend on the rows before.
  /// - Returns: whether it ends; false if a column of the key was no integer.
  package func ends(after size: Int) -> Bool {
    guard let hash else { return false }
    return UInt64(clamping: size) > hash >> shift
  }
}
