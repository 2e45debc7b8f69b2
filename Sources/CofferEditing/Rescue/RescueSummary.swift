public import CofferCore
package import CoreDataArchive
public import CoreDataModel

/// The result of a rescue.
public struct RescueSummary: Sendable {
  /// The content of the new store.
  public var content: ContentCounts
  /// The UUID of the store; nil if it has none.
  public var storeUUID: String?
  /// The numbers of losses; nil if nothing was lost.
  public var losses: SalvageFacts?
  /// The tables that lost rows or values, in the order of an archive.
  package var lostTables: [SalvageDocument.Table]
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
