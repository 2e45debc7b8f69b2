public import CoreDataModel

/// A query for objects in a store or an archive.
public struct ObjectQuery: Sendable, Equatable {
  /// The name of the entity, which includes its subentities; the case is ignored if that is unambiguous.
  public var entityName: Name
  /// The primary key of a single object; nil for all objects.
  public var primaryKey: Int64?
  /// The UUID that the store must have, because an object's URI names it; nil for any.
  public var storeUUID: String?
  /// A predicate for the objects, in Foundation's predicate format; nil for all objects.
  public var condition: String?
  /// The maximum number of objects; nil for no limit.
  public var limit: Int?
  /// The order of the objects; empty for ascending primary keys, which also order equal values.
  public var sortKeys: [ObjectSortKey] = []
  /// The names of the properties to return; empty for all attributes and to-one relationships.
  public var propertyNames: [Name] = []
  /// Whether the destinations of all to-many relationships are counted if all properties are returned.
  ///
  /// In an archive, only named relationships are counted, because counting reads all pairs.
  public var countsDestinations = false
  /// Whether to recognize the content of bytes, such as an image or JSON.
  public var recognizesContent = true
  /// The relationships to follow to their destinations.
  public var followedRelationships: [Name]
  /// The maximum number of destinations of a relationship to return as objects.
  public var followLimit = 100

  /// Creates a query for the objects of an entity.
  public init(
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
