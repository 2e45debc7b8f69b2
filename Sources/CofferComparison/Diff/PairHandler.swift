package import CofferCore

/// A pair of a many-to-many relationship with the content of its row.
struct PairContent: Hashable {
  var source: KeyValue
  var destination: KeyValue
  /// The rest of the row: the positions in ordered relationships.
  var rest: [UInt8]
}

/// Turns rows of pairs into differences.
///
/// Collects differing rows first, so that pairs that only moved to another row cancel out. Beyond
/// ``limit`` rows, reports them unchanged.
package struct PairHandler: RowHandler {
  /// The maximum number of rows to collect.
  static let limit = 1 << 20

  /// The number of differing pairs.
  private(set) var counts = ComparisonSummary.Counts()

  private let rows: RowComparison
  private let entityName: Name
  private let relationshipName: Name
  private let report: (PairDifference) throws -> Void
  /// The number of times that the second side has a pair, minus the first side's.
  private var surplus: [PairContent: Int] = [:]

  package init(
    _ rows: RowComparison, entityName: Name, relationshipName: Name,
    report: @escaping (PairDifference) throws -> Void
  ) {
    self.rows = rows
    self.entityName = entityName
    self.relationshipName = relationshipName
    self.report = report
  }

  package mutating func remove(_ first: some RowCursor) throws {
    try note(try rows.pair(first, isFirst: true), -1)
  }

  package mutating func add(_ second: some RowCursor) throws {
    try note(try rows.pair(second, isFirst: false), 1)
  }

  package mutating func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    try remove(first)
    try add(second)
  }

  package mutating func replace(_ second: some RowCursor) throws {
    let pair = try rows.pair(second, isFirst: false)
    try report(.changed, RowKey(first: pair.source, rest: [pair.destination]), 1)
  }

  package mutating func finish() throws {
    var pairs: [RowKey: (removed: Int, added: Int)] = [:]
    for (content, count) in surplus {
      let key = RowKey(first: content.source, rest: [content.destination])
      if count > 0 { pairs[key, default: (0, 0)].added += count }
      if count < 0 { pairs[key, default: (0, 0)].removed -= count }
    }
    surplus.removeAll()
    for (key, counts) in pairs.sorted(by: { $0.key < $1.key }) {
      let changed = min(counts.removed, counts.added)
      try report(.changed, key, changed)
      try report(.removed, key, counts.removed - changed)
      try report(.added, key, counts.added - changed)
    }
  }

  private mutating func note(_ content: PairContent, _ count: Int) throws {
    let sum = surplus[content, default: 0] + count
    surplus[content] = sum == 0 ? nil : sum
    if surplus.count > Self.limit { try finish() }
  }

  private mutating func report(_ kind: ChangeKind, _ key: RowKey, _ count: Int) throws {
    for _ in 0..<count {
      counts.add(kind)
      try report(
        PairDifference(
          kind: kind, entityName: entityName, relationshipName: relationshipName,
          source: key.first.integer, destination: key.rest.first?.integer))
    }
  }
}
