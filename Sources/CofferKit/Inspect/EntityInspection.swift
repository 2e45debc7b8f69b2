public import CoreDataModel

/// An entity with the number of its objects.
public struct EntityInspection: Sendable, Equatable {
  /// The name; empty for objects whose number of an entity nothing explains.
  public var name: String
  /// The name of the entity that it inherits from, or nil for a root entity.
  public var superentityName: String?
  /// Whether no object can be of exactly this entity.
  public var isAbstract: Bool
  /// The number of the entity in the store; nil where the store numbers no such entity.
  public var number: Int64?
  /// How many objects are of exactly this entity, those of sub-entities not counted.
  public var objectCount: Int
  /// The attributes that the entity itself declares, in ascending order of names.
  public var attributes: [AttributeDescription]
  /// The relationships that the entity itself declares, in ascending order of names.
  public var relationships: [RelationshipDescription]
}
