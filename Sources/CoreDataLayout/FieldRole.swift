package import CoreDataModel

/// What a column of a store means.
package enum FieldRole: Sendable, Hashable {
  /// The primary key.
  case primaryKey
  /// The number of the object's entity.
  case entityNumber
  /// The version counter.
  case version
  /// An attribute, or an element of a composite one, by its path from the entity that declares it.
  case attribute(path: [String], type: AttributeType, isExternal: Bool, entity: String)
  /// A to-one relationship of the entity that declares it: the primary key of the destination.
  case toOne(name: String, entity: String)
  /// The number of the destination's entity, for a to-one relationship.
  case toOneEntity(name: String, entity: String)
  /// The order key within the ordered inverse of a to-one relationship.
  case order(name: String, entity: String)
  /// The primary key of the owner in a to-many relationship without inverse.
  case owner(entity: String, relationship: String)
  /// The order key within an ordered to-many relationship without inverse.
  case ownerOrder(entity: String, relationship: String)
  /// In a table of pairs: the object that the relationship belongs to.
  case source
  /// In a table of pairs: the destination.
  case destination
  /// In a table of pairs: the order key of the destination among those of the source.
  case destinationOrder
  /// In a table of pairs: the order key of the source among those of the destination.
  case sourceOrder
  /// A column that the model does not explain, or one of a table that is archived as it is.
  case plain
}
