/// Counts the rows of a table beside the objects that differ.
struct RowCountHandler: RowHandler {
  /// How many rows differ.
  private(set) var counts = ComparisonSummary.Counts()

  private let lines: LineComparison
  /// Whether rows have no order to rely on, so that each may have its equal anywhere.
  private let isUnordered: Bool
  /// How often more the second side has a row than the first, by a hash of the row.
  private var surplus: [Int: Int] = [:]

  init(lines: LineComparison, isUnordered: Bool) {
    self.lines = lines
    self.isUnordered = isUnordered
  }

  mutating func remove(_ first: LineCursor) { note(first, .removed, -1) }

  mutating func add(_ second: LineCursor) { note(second, .added, 1) }

  mutating func compare(_ first: LineCursor, _ second: LineCursor) throws {
    if try lines.isSame(first, second) { return }
    if isUnordered {
      remove(first)
      add(second)
    } else {
      counts.changed += 1
    }
  }

  mutating func finish() {
    for count in surplus.values {
      if count > 0 { counts.added += count } else { counts.removed -= count }
    }
    surplus.removeAll()
  }

  private mutating func note(_ cursor: LineCursor, _ kind: ChangeKind, _ count: Int) {
    guard isUnordered else { return counts.add(kind) }
    var hasher = Hasher()
    unsafe cursor.bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    let sum = surplus[hash, default: 0] + count
    surplus[hash] = sum == 0 ? nil : sum
    if surplus.count > PairHandler.limit { finish() }
  }
}
