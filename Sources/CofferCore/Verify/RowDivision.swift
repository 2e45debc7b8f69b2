/// The end of the reading of a range of rows.
struct RowRangeEnd: Sendable, Equatable {
  /// The number of the last row that was read, if the rest of the table must be divided; nil if the range
  /// was read to its end.
  var last: Int64?
  var byteCount = 0
}

/// Divides the tables of a store into ranges of row numbers, about as much work each.
///
/// Until the pages of the store are known to be sound, a table is one range, and the next table has to
/// wait for its end. After that, the rest of the table and all following tables are divided.
struct RowDivision {
  private enum Position: Equatable {
    /// Nothing of the table was handed out.
    case beginning
    /// All rows are being read as one range, which may end early.
    case scan
    /// The rows behind a number are left.
    case rest(behind: Int64, last: Int64)
  }

  /// The bytes of memory that the rows of a range should take.
  static let size = 1 << 20
  /// The number of row numbers that the first range of a table spans.
  static let firstSpan: Int64 = 1024
  /// The maximum ratio of the numbers that a range spans to the numbers that the previous range spans.
  private static let fastestGrowth = 16.0

  /// The table of the next range.
  private(set) var table = 0
  private var position = Position.beginning
  private var span = Self.firstSpan

  /// Continues with a table, unless it or a later one has been started.
  mutating func begin(_ table: Int) {
    if self.table < table { turn(to: table) }
  }

  /// Hands out the next range of the table, once the pages are known to be sound; nil while it is unknown.
  mutating func next(isSound: Bool, bounds: () -> ClosedRange<Int64>?) -> RowRange? {
    if position == .beginning {
      guard isSound else {
        position = .scan
        return RowRange()
      }
      guard let bounds = bounds() else { return endTable(RowRange()) }
      // The first range begins with the table, and spans the numbers after the first one.
      return next(behind: nil, from: bounds.lowerBound, last: bounds.upperBound)
    }
    guard case .rest(let number, let last) = position else { return nil }
    return next(behind: number, from: number, last: last)
  }

  private mutating func next(behind number: Int64?, from first: Int64, last: Int64) -> RowRange {
    let before = number.map { [$0] }
    let (end, isBeyond) = first.addingReportingOverflow(span)
    guard !isBeyond, end < last else { return endTable(RowRange(before: before, last: nil)) }
    position = .rest(behind: end, last: last)
    return RowRange(before: before, last: [end])
  }

  /// Takes the end of a range of the table that is being taken; returns whether the table has no more rows.
  mutating func take(
    _ end: RowRangeEnd, of range: RowRange, bounds: () -> ClosedRange<Int64>?
  ) -> Bool {
    if let number = end.last, number < .max {
      let last = bounds()?.upperBound ?? .max
      position = .rest(behind: number, last: last)
      return false
    }
    if position == .scan { turn(to: table + 1) }
    guard let last = range.last?.first else { return true }
    if let before = range.before?.first {
      let width = Double(last) - Double(before)
      let growth = Double(Self.size) / Double(max(end.byteCount, 1))
      span =
        Int64(exactly: min(max(width * min(growth, Self.fastestGrowth), 1), 0x1p62).rounded()) ?? 1
    }
    return false
  }

  private mutating func endTable(_ range: RowRange) -> RowRange {
    turn(to: table + 1)
    return range
  }

  private mutating func turn(to table: Int) {
    (self.table, position, span) = (table, .beginning, Self.firstSpan)
  }
}

extension RowRange {
  /// The numbers of its rows; nil for all rows of a table.
  var numbers: ClosedRange<Int64>? {
    if before == nil, last == nil { return nil }
    let (first, isBeyond) = (before?.first ?? .min).addingReportingOverflow(before == nil ? 0 : 1)
    let end = last?.first ?? .max
    return isBeyond || first > end ? nil : first...end
  }
}
