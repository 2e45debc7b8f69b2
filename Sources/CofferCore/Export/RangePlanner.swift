internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The division of an export among threads; it does not affect the bytes of the archive, except for the
/// rule.
struct ExportDivision: Sendable, Equatable {
  /// Where parts end.
  var rule = PartRule.standard
  /// The bytes of rows after which a range ends as soon as possible.
  var rangeSize = 3 << 20
  /// The minimum size of a store in bytes for which another connection pays; one more connection for each
  /// multiple of it.
  var sizePerConnection = 4 << 20

  /// The number of connections besides the snapshot's own.
  ///
  /// - Returns: at least 2; 0 where dividing does not pay.
  func connectionCount(threads: Int, size: Int) -> Int {
    let count = min(threads, size / max(1, sizePerConnection))
    return count < 2 ? 0 : count
  }
}

/// Divides a table into ranges that end with a part.
///
/// Whether a part ends after a row depends on that row alone, so the planner need not read the rows
/// between: it looks for a row that ends its part, where a range is about long enough. The few keys with
/// which rows of an ordinary size end a part are found by computing; then that row is read.
struct RangePlanner: ~Copyable {
  /// The rows to look at to learn their size.
  private static let sampleCount = 16
  /// The number of rows without an end of a part after which the rest of a table remains one range.
  private static let maxLooks = 2000
  /// A line with a pair is never shorter: `{"$columns":{"a":1,"b":2}}`, and a line feed.
  private static let smallestPair = 27
  /// About the size of a pair.
  private static let pairSize = 64

  private let rangeSize: Int
  private var rule: PartRule
  /// Looks at single rows of a table whose rows have numbers; nil for others.
  private var rows: TableEncoder?
  /// The keys of the pairs to come; nil for other tables.
  private var pairs: SQLiteStatement?
  private let keyCount: Int

  private var isAtEnd = false
  private var before: [Int64]?
  /// The number of the last row of the latest range, and of the table.
  private var position: Int64 = 0
  private var maximum: Int64 = 0
  /// The number of bytes per number, and the size that most rows exceed.
  private var density = 1.0
  private var commonSize = 1

  init(
    _ source: TableSource, entities: NumberedEntities, database: SQLiteDatabase,
    division: ExportDivision
  ) throws {
    (rangeSize, rule) = (division.rangeSize, division.rule)
    let plan = source.plan
    keyCount = plan.keyColumns.count
    if source.shape.kind == .relationship, keyCount > 0, let sql = plan.statementForKeys {
      pairs = try database.prepare(sql)
    } else if let bounds = try database.numberBounds(of: plan),
      bounds.lowerBound < bounds.upperBound
    {
      (position, maximum) = (bounds.lowerBound, bounds.upperBound)
      rows = try TableEncoder(
        source, entities: entities, database: database, rule: rule, hasSingleRows: true)
      try takeSamples()
    }
  }

  /// The next range; nil after the last.
  mutating func next() throws -> RowRange? {
    if isAtEnd { return nil }
    let last = try pairs != nil ? endOfPairs() : endOfRows()
    defer { before = last }
    isAtEnd = last == nil
    return RowRange(before: before, last: last)
  }

  /// Finds out how large rows are, and how dense.
  private mutating func takeSamples() throws {
    var (bytes, count, span) = (0, 0, 0.0)
    for index in 0..<Self.sampleCount {
      // No more large values are read than needed.
      if bytes >= rangeSize { break }
      let step = (Double(maximum) - Double(position)) / Double(Self.sampleCount)
      let number = Int64(exactly: (Double(position) + step * Double(index)).rounded(.down))
      guard let number, let row = try rows?.look(from: number) else { continue }
      bytes = bytes &+ row.size
      count += 1
      span += Double(row.number) - Double(number) + 1
    }
    guard count > 0, span > 0 else { return }
    density = max(Double(bytes) / span, .leastNormalMagnitude)
    commonSize = max(16, bytes / count / 2)
  }

  /// The number of a row that ends its part, about a range's length after the latest; nil if the rest
  /// of the table is not longer.
  private mutating func endOfRows() throws -> [Int64]? {
    guard rows != nil else { return nil }
    let length = Double(rangeSize) / density
    let goal = Double(position) + max(1, length)
    guard goal + length / 2 < Double(maximum), var number = Int64(exactly: goal.rounded(.down))
    else { return nil }
    for _ in 0..<Self.maxLooks {
      while !mayEndPart(number) {
        guard number < maximum else { return nil }
        number += 1
      }
      guard let row = try rows?.look(from: number), row.number < maximum else { return nil }
      if row.endsPart {
        position = row.number
        return [row.number]
      }
      number = row.number + 1
    }
    return nil
  }

  /// Whether a row with this number ends its part if it has an ordinary size.
  private mutating func mayEndPart(_ number: Int64) -> Bool {
    rule.begin()
    rule.add(number)
    return rule.ends(after: commonSize)
  }

  /// The key of a pair that ends its part, however short its line is.
  private mutating func endOfPairs() throws(CofferError) -> [Int64]? {
    var count = 0
    while try pairs?.step() == true {
      count += 1
      guard count >= rangeSize / Self.pairSize else { continue }
      if endsPart() {
        return (0..<Int32(clamping: keyCount)).map { pairs?.int64($0) ?? 0 }
      }
    }
    return nil
  }

  private mutating func endsPart() -> Bool {
    rule.begin()
    for column in 0..<Int32(clamping: keyCount) {
      rule.add(pairs?.storageClass(column) == .integer ? pairs?.int64(column) : nil)
    }
    return rule.ends(after: Self.smallestPair)
  }
}
