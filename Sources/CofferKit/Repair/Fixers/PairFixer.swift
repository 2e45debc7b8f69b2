internal import CoreDataModel
internal import CoreDataStore

/// Removes pairs that lack an object.
struct PairFixer: Fixer {
  static let codes: Set<FindingCode> = [.danglingPair, .danglingReflexivePair]
  private let context: RepairContext
  private let done = Done()

  /// The sources of which an earlier finding led to all pairs that lack an object.
  private final class Done {
    var sources: Set<StoredObject> = []
  }

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let source = finding.objectID, let index = context.pairs(finding) else {
      return .unknownRelationship
    }
    // Not a table of objects, but as good as one: the pairs of a source.
    guard
      done.sources.insert(StoredObject(table: index, key: source.primaryKey)).inserted
    else { return .settled }
    let count = try context.editor.removePairs(
      of: source.primaryKey, from: index, where: .objectIsMissing)
    guard count > 0 else { return .settled }
    return .repaired(count == 1 ? "remove the pair" : "remove \(count) pairs")
  }
}
