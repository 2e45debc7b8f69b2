public import CofferComparison
internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Counts changes while they are passed on to a handler.
struct CountingHandler<Base: RowHandler>: RowHandler {
  private var base: Base
  private let entityColumn: Int?
  /// The counts by entity number; nil for rows that are not objects of a known entity.
  private(set) var counts: [Int64?: ComparisonSummary.Counts] = [:]

  init(_ base: Base, _ shape: TableLayout) {
    self.base = base
    entityColumn = shape.fields.firstIndex { $0.role == .entityNumber }
  }

  mutating func remove(_ first: some RowCursor) throws {
    add(.removed, first.row)
    try base.remove(first)
  }

  mutating func add(_ second: some RowCursor) throws {
    add(.added, second.row)
    try base.add(second)
  }

  mutating func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    add(.changed, second.row)
    try base.compare(first, second)
  }

  mutating func replace(_ second: some RowCursor) throws {
    add(.changed, second.row)
    try base.replace(second)
  }

  mutating func finish() throws { try base.finish() }

  private mutating func add(_ kind: ChangeKind, _ row: Row) {
    counts[entityColumn.flatMap { row.integer($0) }, default: .init()].add(kind)
  }
}

/// The numbers of changes in a change file.
public struct ChangesSummary: Sendable, Equatable {
  /// The differing objects, pairs, rows, files and facts about the store.
  public var differences: ComparisonSummary
  /// The root digest of the file in hexadecimal digits; empty if no file was written.
  public var digest = ""
  /// The size of the file in bytes; 0 if no file was written.
  public var byteCount = 0
  /// The UUID of the store; nil if it has none.
  public var storeUUID: String?
  /// The content digest of the state that the changes begin with; nil if it is unknown.
  public var contentDigestBefore: String?
  /// The content digest of the state that they lead to; nil if it is unknown.
  public var contentDigestAfter: String?
  /// Whether the previous values are included, so that the changes can be applied and reversed.
  public var isReversible = true

  init(firstKind: SourceKind = .store, secondKind: SourceKind = .store) {
    differences = ComparisonSummary(firstKind: firstKind, secondKind: secondKind)
  }

  mutating func add(
    _ counts: [Int64?: ComparisonSummary.Counts], of shape: TableLayout,
    _ entities: NumberedEntities
  ) {
    let total = counts.values.reduce(.init(), +)
    guard total.total > 0 else { return }
    switch shape.kind {
    case .entity:
      // A row with an unknown entity number counts as an object of the table's entity.
      let named = counts.map { number, counts in
        (number.flatMap { entities.names[$0] } ?? shape.entityName ?? "", counts)
      }
      for (name, counts) in Dictionary(named, uniquingKeysWith: +) {
        differences.entities.append(.init(entityName: name, counts: counts))
      }
      differences.entities.sort { $0.entityName < $1.entityName }
    case .relationship:
      differences.relationships.append(
        .init(
          entityName: shape.entityName ?? "", relationshipName: shape.relationshipName ?? "",
          counts: total))
    case .metadata, .primaryKeys, .modelCache: differences.store.changed += total.total
    case .history, .cloudKit, .system, .unknown:
      differences.tables.append(
        RowDifferences(
          subject: .init(shape.kind), tableName: shape.storedName, added: total.added,
          removed: total.removed, changed: total.changed))
      differences.tables.sort { codeUnitsAscend($0.tableName, $1.tableName) }
    }
  }

  mutating func add(_ file: ChangedFile) {
    differences.externalData.add(file.kind)
  }

  /// Adds a file's information about its two states.
  mutating func add(_ states: ChangesDocument, of manifest: ArchiveManifest) {
    storeUUID = manifest.storeUUID
    (contentDigestBefore, contentDigestAfter) = (states.before.digest, states.after.digest)
    isReversible = states.isReversible
    if !states.before.hasSameSettings(as: states.after) { differences.store.changed += 1 }
  }
}
