package import CofferCore
internal import POSIX

/// Reads two tables side by side, in the order of their keys.
///
/// Skips lines with equal bytes immediately, and equal rows without comparing keys that are not
/// just a number.
package struct TableMerge<First: RowCursor, Second: RowCursor> {
  /// One of the tables, and the position in it.
  private struct Side<Rows: RowCursor> {
    /// The rows; nil at the end.
    private(set) var rows: Rows?
    private(set) var count = 0
    let rule: KeyRule

    init(_ rows: Rows?, _ rule: KeyRule) throws {
      self.rows = rows
      self.rule = rule
      try advance()
    }

    mutating func advance() throws {
      guard let rows else { return }
      if try rows.advance() { count += 1 } else { self.rows = nil }
    }

    /// The key of the current, loaded row; nil if rows have no key.
    func key(_ row: Row) -> RowKey? {
      guard let first = rule.columns.first else { return nil }
      return RowKey(
        first: KeyValue(row, first), rest: rule.columns.dropFirst().map { KeyValue(row, $0) })
    }

    /// The key if it is an integer; otherwise nil.
    func number(_ row: Row) -> Int64? { rule.columns.first.flatMap { row.integer($0) } }
  }

  private var first: Side<First>
  private var second: Side<Second>
  private let rows: RowComparison
  private let isBoundToSide: Bool
  /// The number of rows reached on both sides.
  var counts: (first: Int, second: Int) { (first.count, second.count) }

  /// Starts at the first rows.
  ///
  /// - Parameters:
  ///   - first: the first table and its keys; nil if the first side lacks it.
  ///   - second: the second table and its keys.
  ///   - rows: compares two rows.
  /// - Throws: errors from the sources.
  package init(
    _ first: (rows: First?, rule: KeyRule), _ second: (rows: Second?, rule: KeyRule),
    _ rows: RowComparison
  ) throws {
    self.first = try Side(first.rows, first.rule)
    self.second = try Side(second.rows, second.rule)
    self.rows = rows
    isBoundToSide = rows.isBoundToSide
  }

  /// Passes all differing rows to a handler, and the number of rows so far to a closure from time
  /// to time.
  package mutating func run(_ handler: inout some RowHandler, step: (Int) throws -> Void) throws {
    var count = 0
    while true {
      switch (first.rows, second.rows) {
      case (nil, nil):
        try handler.finish()
        return try step(count)
      case (let left?, nil):
        try left.load()
        try handler.remove(left)
        try first.advance()
      case (nil, let right?):
        try right.load()
        try handler.add(right)
        try second.advance()
      case (let left?, let right?): try compare(left, right, &handler)
      }
      count += 1
      if count & 0xfff == 0 { try step(count) }
    }
  }

  private mutating func compare(
    _ left: First, _ right: Second, _ handler: inout some RowHandler
  ) throws {
    // Equal references can refer to different bytes.
    if !isBoundToSide, Self.haveSameLine(left, right), !left.mayReferElsewhere {
      return try advanceBoth()
    }
    try left.load()
    try right.load()
    if first.rule.isAscending, let number = first.number(left.row),
      let other = second.number(right.row), number != other
    {
      return try pass(left, right, isFirst: number < other, &handler)
    }
    if try rows.isSame(left, right) { return try advanceBoth() }
    if !first.rule.isAscending, let key = first.key(left.row), let other = second.key(right.row),
      key != other
    {
      return try pass(left, right, isFirst: key < other, &handler)
    }
    try handler.compare(left, right)
    try advanceBoth()
  }

  /// Passes on the row with the lower key, which the other side lacks.
  private mutating func pass(
    _ left: First, _ right: Second, isFirst: Bool, _ handler: inout some RowHandler
  ) throws {
    if isFirst {
      try handler.remove(left)
      try first.advance()
    } else {
      try handler.add(right)
      try second.advance()
    }
  }

  private mutating func advanceBoth() throws {
    try first.advance()
    try second.advance()
  }

  private static func haveSameLine(_ left: First, _ right: Second) -> Bool {
    guard let line = unsafe left.line, let other = unsafe right.line, line.count == other.count,
      let start = line.baseAddress, let otherStart = other.baseAddress
    else { return false }
    return unsafe memcmp(start, otherStart, line.count) == 0
  }
}
