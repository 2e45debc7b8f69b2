package import CofferCore
internal import CoreDataModel

/// Turns rows of objects into differences.
package struct ObjectHandler: RowHandler {
  package let rows: RowComparison
  package let options: ComparisonOptions
  /// The sources' paths, for errors.
  package let paths: (first: String, second: String)
  let report: (ObjectDifference) throws -> Void

  package init(
    rows: RowComparison, options: ComparisonOptions, paths: (first: String, second: String),
    report: @escaping (ObjectDifference) throws -> Void
  ) {
    self.rows = rows
    self.options = options
    self.paths = paths
    self.report = report
  }

  package func remove(_ first: some RowCursor) throws {
    let id = try identity(first, rows.first, paths.first)
    let properties = options.describesObjects ? rows.values(of: first) : []
    try report(ObjectDifference(kind: .removed, objectID: id, properties: properties))
  }

  package func add(_ second: some RowCursor) throws {
    let id = try identity(second, rows.second, paths.second)
    let properties = options.describesObjects ? rows.values(second) : []
    try report(ObjectDifference(kind: .added, objectID: id, properties: properties))
  }

  package func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    let properties = try rows.differences(first, second, options)
    guard !properties.isEmpty else { return }
    let id = try identity(second, rows.second, paths.second)
    let old = try identity(first, rows.first, paths.first)
    try report(
      ObjectDifference(
        kind: .changed, objectID: id, oldObjectID: old.primaryKey == id.primaryKey ? nil : old,
        properties: properties))
  }

  package func replace(_ second: some RowCursor) throws {
    let id = try identity(second, rows.second, paths.second)
    let properties = options.includesValues ? rows.values(second) : []
    try report(
      ObjectDifference(
        kind: .changed, objectID: id, properties: properties, lacksOldValues: true))
  }

  package func finish() {}

  private func identity(
    _ cursor: some RowCursor, _ table: ComparedTable, _ path: String
  ) throws(CofferError) -> ManagedObjectID {
    guard let id = table.objectID(cursor.row) else {
      throw CofferError(.damagedStore, path: path, detail: "an object has no primary key")
    }
    return id
  }
}

/// Receives the differing rows of two tables.
///
/// The rows are loaded.
package protocol RowHandler {
  /// Receives the current row of the first side, which the second lacks.
  mutating func remove(_ first: some RowCursor) throws
  /// Receives the current row of the second side, which the first lacks.
  mutating func add(_ second: some RowCursor) throws
  /// Receives the current rows of both sides, which have the same key, or no keys.
  mutating func compare(_ first: some RowCursor, _ second: some RowCursor) throws
  /// Receives the current row of the second side, which replaces a row with the same key whose
  /// content is unknown.
  mutating func replace(_ second: some RowCursor) throws
  /// Is called after the last row.
  mutating func finish() throws
}

extension RowHandler {
  /// Refuses a row whose previous values are unknown.
  package func replace(_ second: some RowCursor) throws {
    throw CofferError.irreversibleChanges(path: "")
  }
}

/// Counts the differing rows of a table without objects.
package struct RowCountHandler: RowHandler {
  /// The number of differing rows.
  private(set) var counts = ComparisonSummary.Counts()

  private let rows: RowComparison
  /// Whether the rows have no reliable order, so that an equal row may be anywhere.
  private let isUnordered: Bool
  /// The number of times that the second side has a row, minus the first side's, by a hash of the row.
  private var surplus: [Int: Int] = [:]

  package init(_ rows: RowComparison, isUnordered: Bool) {
    self.rows = rows
    self.isUnordered = isUnordered
  }

  package mutating func remove(_ first: some RowCursor) throws {
    if isUnordered { note(try rows.content(first, isFirst: true), -1) } else { counts.removed += 1 }
  }

  package mutating func add(_ second: some RowCursor) throws {
    if isUnordered { note(try rows.content(second, isFirst: false), 1) } else { counts.added += 1 }
  }

  package mutating func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    guard isUnordered else { return counts.changed += 1 }
    try remove(first)
    try add(second)
  }

  package mutating func replace(_ second: some RowCursor) { counts.changed += 1 }

  package mutating func finish() {
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
