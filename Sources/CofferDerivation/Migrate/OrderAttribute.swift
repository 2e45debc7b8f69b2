package import CoreDataModel

/// An integer attribute that represents the order of a to-many relationship in a model without it.
///
/// CloudKit, for example, allows no ordered relationships.
package struct OrderAttribute: Sendable, Hashable {
  /// The side of a migration that has the attribute.
  package enum Side: Sendable {
    /// The new model: the order becomes positions from 0 on.
    case new
    /// The old model: the positions become the order; objects without one come last.
    case old
  }

  /// The entity that declares or inherits the relationship, as the new model names it.
  package var entityName: Name
  /// The relationship, as the new model names it.
  package var relationshipName: Name
  /// The attribute of the destination.
  package var attributeName: Name
  /// The model that has the attribute.
  package var side: Side

  /// Creates the pair of a relationship and an attribute.
  package init(entityName: Name, relationshipName: Name, attributeName: Name, side: Side) {
    self.entityName = entityName
    self.relationshipName = relationshipName
    self.attributeName = attributeName
    self.side = side
  }
}
