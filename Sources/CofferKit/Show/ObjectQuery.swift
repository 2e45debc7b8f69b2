/// Which objects of a store or an archive are shown.
public struct ObjectQuery: Sendable, Equatable {
  /// The name of the entity; objects of its sub-entities are objects of it too.
  public var entityName: String
  /// The primary key of the one object; nil for all.
  public var primaryKey: Int64?
  /// The text of a predicate that the objects must fulfil, in Foundation's predicate format; nil for all.
  public var condition: String?
  /// How many objects are shown at most; nil for all.
  public var limit: Int?
  /// The relationships that are followed to their destinations.
  public var followedRelationships: [String]
  /// How many destinations of a relationship are shown as objects at most.
  public var followLimit = 100

  /// Creates a query.
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
