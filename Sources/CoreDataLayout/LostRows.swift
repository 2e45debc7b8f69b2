/// Consecutive rows of a table that were lost.
package struct LostRows: Sendable, Equatable {
  /// The lowest key.
  package var first: Int64
  /// The highest key; nil if the end of the rows is unknown.
  package var last: Int64?
  /// Whether there was a row of each key; otherwise the number of rows is an upper bound.
  package var isExact: Bool

  /// Creates rows.
  package init(first: Int64, last: Int64?, isExact: Bool) {
    self.first = first
    self.last = last
    self.isExact = isExact
  }
}
