public import CoreDataModel

/// An entity and the number of its objects.
public struct EntityInspection: Sendable, Equatable {
  /// The name; empty for objects of an unknown entity.
  public var name: String
  /// The name of the superentity, or nil for a root entity.
  public var superentityName: String?
  /// Whether no object can belong to exactly this entity.
  public var isAbstract: Bool
  /// The number of the entity in the store; nil if the store has none.
  public var number: Int64?
  /// The number of objects of exactly this entity, without subentities.
  public var objectCount: Int
  /// The attributes that the entity itself declares, in ascending order of names.
  public var attributes: [AttributeDescription]
  /// The relationships that the entity itself declares, in ascending order of names.
  public var relationships: [RelationshipDescription]
}
