/// Counts the rows of a table beside the objects that differ.
struct RowCountHandler: RowHandler {
  /// How many rows differ.
  private(set) var counts = ComparisonSummary.Counts()

  private let rows: RowComparison
  /// Whether rows have no order to rely on, so that each may have its equal anywhere.
  private let isUnordered: Bool
  /// How often more the second side has a row than the first, by a hash of the row.
  private var surplus: [Int: Int] = [:]

  init(_ rows: RowComparison, isUnordered: Bool) {
    self.rows = rows
    self.isUnordered = isUnordered
  }

  mutating func remove(_ first: some RowCursor) throws {
    if isUnordered { note(try rows.content(first, isFirst: true), -1) } else { counts.removed += 1 }
  }

  mutating func add(_ second: some RowCursor) throws {
    if isUnordered { note(try rows.content(second, isFirst: false), 1) } else { counts.added += 1 }
  }

  mutating func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    guard isUnordered else { return counts.changed += 1 }
    try remove(first)
    try add(second)
  }

  mutating func finish() {
    for count in surplus.values {
      if count > 0 { counts.added += count } else { counts.removed -= count }
    }
    surplus.removeAll()
  }

  private mutating func note(_ content: [UInt8], _ count: Int) {
    let hash = content.hashValue
    let sum = surplus[hash, default: 0] + count
    surplus[hash] = sum == 0 ? nil : sum
    if surplus.count > PairHandler.limit { finish() }
  }
}
