public import CoreDataModel

/// A change that a person decides, because no rule determines it.
///
/// The objects are those that meet ``RepairOptions/condition``. Without a condition, a value is set for the
/// objects where the attribute is missing or invalid.
public enum RepairDecision: Sendable, Hashable {
  /// Sets an attribute to a value, written as in a predicate; a text needs no quotes.
  case set(entity: Name, attribute: Name, value: String)
  /// Deletes objects, and applies their delete rules.
  case delete(entity: Name)

  /// The entity, with its subentities.
  public var entityName: Name {
    switch self {
    case .set(let entity, _, _), .delete(let entity): entity
    }
  }
}

/// The effect of a decision on a store.
package struct DecidedChange: Sendable, Hashable {
  /// The maximum number of objects that are named.
  package static let named = 1000

  /// The decision.
  package let decision: RepairDecision
  /// The number of changed or deleted objects.
  package internal(set) var objectCount = 0
  /// The changed or deleted objects: the first 1,000.
  package internal(set) var objects: [ManagedObjectID] = []
  /// The number of other objects that a delete rule deletes with them.
  package internal(set) var cascadedCount = 0
  /// These objects: the first 1,000.
  package internal(set) var cascaded: [ManagedObjectID] = []

  init(_ decision: RepairDecision) { self.decision = decision }

  mutating func add(_ id: ManagedObjectID, isCascaded: Bool = false) {
    if isCascaded {
      cascadedCount += 1
      if cascaded.count < Self.named { cascaded.append(id) }
    } else {
      objectCount += 1
      if objects.count < Self.named { objects.append(id) }
    }
  }
}
