public import CoreDataModel

/// The properties that identify an object of an entity, independent of its primary key.
public struct NaturalKey: Sendable, Hashable {
  /// The entity; its subentities have the same key, unless they have their own.
  public var entityName: Name
  /// The properties, at least one: an attribute (`name`), an element of a composite attribute
  /// (`place.city`), an attribute of a destination (`author.name`), or a to-one relationship
  /// (`author`), which represents the key of its destination.
  public var keyPaths: [Name]

  /// Creates a key.
  public init(entityName: Name, keyPaths: [Name]) {
    self.entityName = entityName
    self.keyPaths = keyPaths
  }
}

/// The rule that matches the objects of two sources.
package enum MatchingRule: Sendable, Hashable {
  /// The properties that the caller chose.
  case naturalKey([Name])
  /// The properties of a uniqueness constraint of both models.
  case uniquenessConstraint([Name])
  /// The entity and the primary key.
  case objectID

  /// The key paths; empty for ``objectID``.
  package var keyPaths: [Name] {
    switch self {
    case .naturalKey(let paths), .uniquenessConstraint(let paths): paths
    case .objectID: []
    }
  }
}

/// The matching of the objects of an entity.
package struct EntityMatching: Sendable, Hashable {
  /// The objects of one source that remain unmatched because of their keys.
  package struct Unmatchable: Sendable, Hashable {
    /// The maximum number of examples.
    package static let exampleLimit = 5

    /// The number of objects with a key that has no value in one of its properties.
    package var incompleteCount = 0
    /// The number of objects with the same key as another object of that source.
    package var repeatedCount = 0
    /// The first examples of both.
    package var examples: [ManagedObjectID] = []

    /// The first object whose key is unique in its source, but occurs several times in the other; nil
    /// for none.
    ///
    /// It has the lowest primary key of them. ``count`` does not count them.
    package var ambiguous: ManagedObjectID?

    /// The number of objects.
    package var count: Int { incompleteCount + repeatedCount }
  }

  /// The entity, which both sources have.
  package var entityName: Name
  /// The rule for its objects.
  package var rule: MatchingRule
  /// The objects of the first source that remain unmatched because of their keys.
  package var first = Unmatchable()
  /// The objects of the second source that remain unmatched because of their keys.
  package var second = Unmatchable()
}
