internal import CofferCore
internal import CoreDataModel

/// Compares the pairs of a many-to-many relationship by the objects that they join.
///
/// Order keys are not compared.
struct PairMerge {
  /// The columns of a join table, with the ends named as on the first side.
  struct Ends {
    var source: Int
    var destination: Int
  }

  /// The number of differing pairs.
  private(set) var counts = ComparisonSummary.Counts()
  /// The number of rows read.
  private(set) var read = 0

  private let compared: RowComparison
  private let objects: MatchedObjects
  private let entityName: Name
  private let relationshipName: Name
  private let report: (PairDifference) throws -> Void
  private let sorter: RecordSorter

  init(
    _ compared: RowComparison, _ objects: MatchedObjects, entityName: Name,
    relationshipName: Name, temporaryFolder: String?,
    report: @escaping (PairDifference) throws -> Void
  ) {
    self.compared = compared
    self.objects = objects
    self.entityName = entityName
    self.relationshipName = relationshipName
    self.report = report
    sorter = RecordSorter(memory: 4 << 20, temporaryFolder: temporaryFolder)
  }

  /// Reads all pairs of one side.
  ///
  /// Rows are nil for a side without the table, ends for a table without one of the columns.
  mutating func take(
    _ rows: (some RowCursor)?, _ side: SourceSide, _ ends: Ends?, step: (Int) throws -> Void
  ) throws {
    guard let rows, let ends else { return }
    let table = side == .first ? compared.first : compared.second
    while try rows.next() {
      read += 1
      if read & 0xfff == 0 { try step(read) }
      let keys = (rows.row.integer(ends.source), rows.row.integer(ends.destination))
      let source = try table.identity(Int32(clamping: ends.source), of: rows.row)
      let destination = try table.identity(Int32(clamping: ends.destination), of: rows.row)
      guard let key = keys.0, let other = keys.1, source != .alone, destination != .alone else {
        try report(side == .first ? .removed : .added, keys.0, keys.1)
        continue
      }
      var record = SortRecord(
        topic: 0, rank: 0, key: key, first: other, second: Int64(side.rawValue))
      if case .number(let number) = source {
        record.topic |= 1
        record.key = Int64(number)
      }
      if case .number(let number) = destination {
        record.topic |= 2
        record.first = Int64(number)
      }
      try sorter.append(record)
    }
  }

  /// Reports the pairs that only one side has.
  mutating func finish() throws {
    var pair: SortRecord?
    var surplus = 0
    func keys(_ pair: SortRecord, isFirst: Bool) throws -> (Int64, Int64) {
      var keys = (pair.key, pair.first)
      if pair.topic & 1 != 0 {
        let both = try objects.keys(of: Int(pair.key))
        keys.0 = isFirst ? both.first : both.second
      }
      if pair.topic & 2 != 0 {
        let both = try objects.keys(of: Int(pair.first))
        keys.1 = isFirst ? both.first : both.second
      }
      return keys
    }
    func flush() throws {
      guard let pair, surplus != 0 else { return }
      let keys = try keys(pair, isFirst: surplus < 0)
      for _ in 0..<abs(surplus) {
        try report(surplus < 0 ? .removed : .added, keys.0, keys.1)
      }
    }
    try sorter.forEach { record in
      if let pair, pair.topic == record.topic, pair.key == record.key, pair.first == record.first {
      } else {
        try flush()
        (pair, surplus) = (record, 0)
      }
      surplus += record.second == 0 ? -1 : 1
    }
    try flush()
  }

  private mutating func report(
    _ kind: ChangeKind, _ source: Int64?, _ destination: Int64?
  ) throws {
    counts.add(kind)
    try report(
      PairDifference(
        kind: kind, entityName: entityName, relationshipName: relationshipName, source: source,
        destination: destination))
  }
}
