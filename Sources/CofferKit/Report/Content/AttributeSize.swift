public import CoreDataModel

/// How much the values of an attribute hold.
public struct AttributeSize: Sendable, Equatable {
  /// The entity that declares it.
  public var entityName: String
  /// The name, of an element of a composite attribute with the names around it before points.
  public var name: String
  /// The type.
  public var type: AttributeType
  /// How many objects have the attribute: those of the entity and of all below it.
  public var ownerCount: Int
  /// How many of them have a value.
  public var valueCount: Int
  /// How many bytes the values have in their rows.
  public var byteCount: Int
}
