public import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
public import CoreDataModel

/// The result of a rescue.
public struct RescueSummary: Sendable {
  /// What the new store contains.
  public var content: ContentCounts
  /// The UUID of the store; nil if it has none.
  public var storeUUID: String?
  /// The numbers of losses; nil if nothing was lost.
  public var losses: SalvageFacts?
  /// The tables that lost rows or values, in the order of an archive.
  package var lostTables: [LostTable]
  /// The error that every other command reports for the damaged store; nil if they can read it.
  public var problem: CofferError?
  /// The findings on the way, a limited number of each kind: every known loss, references to lost
  /// objects, missing files, and recreated tables.
  public var findings: [Finding]
  /// The repairs, and the findings that a verification of the new store still reports.
  public var repair: RepairSummary
  /// Why the new store could not be repaired; nil if it could, or needed no repair.
  public var repairProblem: CofferError?

  /// The objects recovered from loose pages, sorted by entity; empty if none were found, or none were
  /// searched for.
  package var recovered: [RecoveredObjects] = []

  /// The number of repairs that lost something.
  public var lossyRepairCount: Int {
    repair.repairCounts.reduce(0) { $1.key.fix.kind == .lossy ? $0 + $1.value : $0 }
  }
  /// The number of errors that a verification of the new store finds.
  public var errorCount: Int { repair.errorCount }
  /// Whether nothing was lost and no errors remain.
  public var isWhole: Bool {
    losses == nil && lossyRepairCount == 0 && errorCount == 0
      && !findings.contains { $0.code == .rebuiltTable }
  }
}

/// Objects of an entity that were found on pages which no table leads to, or on damaged ones.
package struct RecoveredObjects: Sendable, Hashable {
  /// The entity.
  package var entityName: Name
  /// The name of the file with them.
  package var fileName: String
  /// Their number.
  package var count: Int
  /// The number of objects on free pages: deleted objects, and old states of objects whose rows
  /// moved.
  package var freeCount: Int
  /// The number of objects with unreadable values.
  package var incompleteCount: Int
}

/// A table of a damaged store that lost rows or values.
package struct LostTable: Sendable, Hashable {
  /// Consecutive keys of lost rows.
  package struct Keys: Sendable, Hashable {
    /// The lowest key.
    package var first: Int64
    /// The highest key; nil if the end of the rows is unknown.
    package var last: Int64?
    /// Whether each key had a row; otherwise, there may have been fewer.
    package var isExact: Bool
  }

  /// A value that was lost from a row that was read.
  package struct Value: Sendable, Hashable {
    /// The key of the row.
    package var key: Int64
    /// The property, or the column if it belongs to none.
    package var property: Name
  }

  /// The name of the table in an archive, such as `entities/Person`.
  package var name: String
  /// The root entity of its objects, or the one of its relationship; nil for other tables.
  package var entityName: Name?
  /// The number of rows that were read.
  package var readCount: Int
  /// The number of lost rows: exact, or an upper bound; 0 if it is unknown.
  package var lostCount: Int
  /// Whether ``lostCount`` is exact.
  package var isExact: Bool
  /// The keys of lost rows in ascending order, at most 10,000 ranges.
  package var lostKeys: [Keys]
  /// The number of values lost from rows that were read.
  package var lostValueCount: Int
  /// The lost values, at most 10,000.
  package var lostValues: [Value]

  init(_ table: SalvageDocument.Table) {
    name = table.folder
    entityName = table.entityName
    readCount = table.readCount
    lostCount = table.lostCount
    isExact = table.isExact
    lostKeys = table.rows.map { Keys(first: $0.first, last: $0.last, isExact: $0.isExact) }
    lostValueCount = table.lostValueCount
    lostValues = table.values.map { Value(key: $0.key, property: $0.property) }
  }
}
