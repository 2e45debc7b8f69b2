public import CofferComparison
public import CofferCore
package import CoreDataModel

/// The duplicates of an entity.
package struct EntityDuplicates: Sendable, Hashable {
  /// The maximum number of examples.
  package static let exampleLimit = 5

  /// The entity.
  package var entityName: Name
  /// The rule that identifies its objects.
  package var rule: MatchingRule
  /// The number of its objects, without subentities.
  package var objectCount = 0
  /// The number of removed objects, in favor of one that remains.
  package var duplicateCount = 0
  /// The number of objects with a missing value in their key; they are kept.
  package var incompleteCount = 0
  /// The number of keys shared with objects of another entity, which are never duplicates.
  package var sharedCount = 0
  /// The first few objects with such a key.
  package var incompleteExamples: [ManagedObjectID] = []

  mutating func add(incomplete key: Int64) {
    incompleteCount += 1
    guard incompleteExamples.count < Self.exampleLimit else { return }
    incompleteExamples.append(ManagedObjectID(entityName: entityName, primaryKey: key))
  }
}

/// The result of removing duplicates.
public struct DeduplicationSummary: Sendable {
  /// The entities with a key, sorted by name.
  package var entities: [EntityDuplicates] = []
  /// The number of relationships redirected to remaining objects.
  public var movedCount = 0
  /// The number of relationships between different objects of a group, which were dropped.
  package var droppedCount = 0
  /// The number of objects removed with their only owners.
  public var cascadedCount = 0
  /// The differences between the store before and after, as a comparison reports them.
  public var differences = ComparisonSummary(firstKind: .store, secondKind: .store)
  /// The UUID of the store; nil if it has none.
  public var storeUUID: String?
  /// The warnings about the result that the store did not have, a limited number of each kind.
  public var findings: [Finding] = []

  /// The number of removed duplicates.
  public var duplicateCount: Int { entities.reduce(0) { $0 + $1.duplicateCount } }
}
