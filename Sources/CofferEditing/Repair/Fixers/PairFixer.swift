internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Removes pairs that lack an object.
struct PairFixer: Fixer {
  static let codes: Set<FindingCode> = [.danglingPair, .danglingReflexivePair]
  private let context: RepairContext
  /// The sources of which an earlier finding led to all pairs that lack an object.
  private let mended = MendedSubjects<StoredObject>()

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let source = finding.objectID, let index = context.pairs(finding) else {
      return .unknownRelationship
    }
    // Not a table of objects, but as good as one: the pairs of a source.
    let subject = StoredObject(table: index, key: source.primaryKey)
    if mended.count(subject) != nil { return .settled }
    let count = try context.editor.removePairs(
      of: source.primaryKey, from: index, where: .objectIsMissing)
    mended.note(subject, count)
    guard count > 0 else { return .settled }
    return .repaired(count == 1 ? "remove the pair" : "remove \(count) pairs")
  }
}
