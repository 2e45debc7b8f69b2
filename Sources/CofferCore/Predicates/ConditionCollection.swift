internal import CoreDataModel

/// The objects that a to-many relationship leads to, of an object to which to-one relationships lead.
struct ConditionCollection {
  /// Which of the objects of the scope it begins at.
  let start: Int
  let steps: [RelationshipDescription]
  let followed: FollowedRelationship
  /// Which of the objects of the scope each destination is in turn; no other collection has it.
  let level: Int
  /// Which destinations count; nil for all.
  var filter: ObjectTest?
  /// The place of the only destination that counts, in the order of the relationship; nil for all.
  var position: Position?

  /// A place in an order.
  enum Position {
    case index(Int64)
    case last
  }
}

/// A property of each object of a collection.
struct CollectedValues {
  /// The collections on the way, each but the first one begins at the objects of the former.
  var collections: [ConditionCollection]
  /// The property of the objects of the last one.
  let property: ConditionProperty
  /// Whether equal values count once.
  var isDistinct = false
}

extension ConditionProperties {
  /// A key path through a to-many relationship.
  struct Collection {
    let steps: [RelationshipDescription]
    let followed: FollowedRelationship
    /// The keys behind the to-many relationship.
    let rest: ArraySlice<Name>
    /// The keys up to the to-many relationship, with a dot behind each.
    let prefix: String
  }

  /// The collection at the end of a key path through a to-many relationship; nil for all others.
  ///
  /// - Throws: ``ConditionProblem`` for a relationship that is not in the store, or that entities declare
  ///   each in its own way.
  func collection(_ path: String) throws(ConditionProblem) -> Collection? {
    var keys = Name.path(path, omittingEmptyNames: false)[...]
    var (steps, prefix): ([RelationshipDescription], String) = ([], prefix)
    var (entity, tree) = (entity, tree)
    while let key = keys.first {
      guard let found = try followed(key, of: entity, tree, isExact: isExact && steps.isEmpty)
      else {
        return nil
      }
      keys.removeFirst()
      prefix += "\(key)."
      let relationship = found.relationship
      if relationship.isToMany {
        guard !relationship.isTransient else { return nil }
        return Collection(steps: steps, followed: found, rest: keys, prefix: prefix)
      }
      steps.append(relationship)
      entity = relationship.destinationName
      tree = model.tree(of: entity).map(\.name)
    }
    return nil
  }

  /// The relationship with a name, of an entity or a subentity.
  private func followed(
    _ name: Name, of entity: Name, _ tree: [Name], isExact: Bool
  ) throws(ConditionProblem) -> FollowedRelationship? {
    let own = model.relationship(name, of: entity)
    if isExact, let own { return FollowedRelationship(own.declaredBy, own.relationship) }
    var found: FollowedRelationship?
    for other in tree {
      guard let next = model.relationship(name, of: other) else { continue }
      if let found, !isExact, found.declaredBy != next.declaredBy {
        throw ConditionProblem(
          detail: "\(name) is another relationship in \(found.declaredBy) than in "
            + next.declaredBy.text)
      }
      found = found ?? FollowedRelationship(next.declaredBy, next.relationship)
    }
    return found
  }
}
