/// A range of row numbers, both ends included; never empty.
package struct KeyRange: Sendable, Hashable {
  /// The lowest row number.
  package var first: Int64
  /// The highest row number.
  package var last: Int64

  /// Creates a range; nil if the first number is above the last.
  package init?(_ first: Int64, _ last: Int64) {
    guard first <= last else { return nil }
    self.first = first
    self.last = last
  }

  /// One row number.
  init(only key: Int64) { (first, last) = (key, key) }

  /// All row numbers that SQLite knows.
  package static let all = KeyRange(every: ())

  private init(every: Void) { (first, last) = (.min, .max) }

  /// Whether a row number is in the range.
  package func contains(_ key: Int64) -> Bool { first <= key && key <= last }

  /// The numbers below a row number; nil if there are none.
  func below(_ key: Int64) -> KeyRange? {
    key == .min ? nil : KeyRange(first, min(last, key - 1))
  }

  /// The numbers above a row number; nil if there are none.
  func above(_ key: Int64) -> KeyRange? {
    key == .max ? nil : KeyRange(max(first, key + 1), last)
  }

  /// A row number in the middle, rounded up.
  var middle: Int64 {
    let half = (UInt64(bitPattern: last) &- UInt64(bitPattern: first)) / 2
    return last &- Int64(bitPattern: half)
  }

  /// The number of row numbers, at most `Int.max`.
  package var count: Int {
    let width = UInt64(bitPattern: last) &- UInt64(bitPattern: first)
    return width >= UInt64(Int.max) ? .max : Int(width) + 1
  }

  static func joined(_ ranges: [KeyRange]) -> [KeyRange] {
    var result: [KeyRange] = []
    for range in ranges.sorted(by: { $0.first < $1.first }) {
      guard let previous = result.last,
        previous.last == .max || range.first <= previous.last + 1
      else {
        result.append(range)
        continue
      }
      result[result.count - 1].last = max(previous.last, range.last)
    }
    return result
  }
}
