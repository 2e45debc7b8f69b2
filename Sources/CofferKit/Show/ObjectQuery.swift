/// A query for objects in a store or an archive.
public struct ObjectQuery: Sendable, Equatable {
  /// The name of the entity, which includes its subentities.
  public var entityName: String
  /// The primary key of a single object; nil for all objects.
  public var primaryKey: Int64?
  /// A predicate for the objects, in Foundation's predicate format; nil for all objects.
  public var condition: String?
  /// The maximum number of objects; nil for no limit.
  public var limit: Int?
  /// The relationships to follow to their destinations.
  public var followedRelationships: [String]
  /// The maximum number of destinations of a relationship to return as objects.
  public var followLimit = 100

  /// Creates a query for the objects of an entity.
  public init(
    entityName: String, primaryKey: Int64? = nil, condition: String? = nil, limit: Int? = nil,
    followedRelationships: [String] = []
  ) {
    self.entityName = entityName
    self.primaryKey = primaryKey
    self.condition = condition
    self.limit = limit
    self.followedRelationships = followedRelationships
  }
}
