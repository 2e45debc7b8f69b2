package import CoreDataModel

/// A query for objects in a store or an archive.
package struct ObjectQuery: Sendable, Equatable {
  /// The name of the entity, which includes its subentities; the case is ignored if that is unambiguous.
  package var entityName: Name
  /// The primary key of a single object; nil for all objects.
  package var primaryKey: Int64?
  /// The UUID that the store must have, because an object's URI names it; nil for any.
  package var storeUUID: String?
  /// A predicate for the objects, in Foundation's predicate format; nil for all objects.
  package var condition: String?
  /// The maximum number of objects; nil for no limit.
  package var limit: Int?
  /// The order of the objects; empty for ascending primary keys, which also order equal values.
  package var sortKeys: [ObjectSortKey] = []
  /// The names of the properties to return; empty for all attributes and to-one relationships.
  package var propertyNames: [Name] = []
  /// Whether the destinations of all to-many relationships are counted if all properties are returned.
  ///
  /// In an archive, only named relationships are counted, because counting reads all pairs.
  package var countsDestinations = false
  /// Whether to recognize the content of bytes, such as an image or JSON.
  package var recognizesContent = true
  /// The relationships to follow to their destinations.
  package var followedRelationships: [Name]
  /// The maximum number of destinations of a relationship to return as objects.
  package var followLimit = 100

  /// Creates a query for the objects of an entity.
  package init(
    entityName: Name, primaryKey: Int64? = nil, condition: String? = nil, limit: Int? = nil,
    followedRelationships: [Name] = []
  ) {
    self.entityName = entityName
    self.primaryKey = primaryKey
    self.condition = condition
    self.limit = limit
    self.followedRelationships = followedRelationships
  }
}
