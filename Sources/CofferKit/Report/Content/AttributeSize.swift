public import CoreDataModel

/// The size of the values of an attribute.
public struct AttributeSize: Sendable, Equatable {
  /// The declaring entity.
  public var entityName: String
  /// The name; for an element of a composite attribute, with the names of the enclosing ones before
  /// dots.
  public var name: String
  /// The type.
  public var type: AttributeType
  /// The number of objects with the attribute: those of the entity and its subentities.
  public var ownerCount: Int
  /// The number of objects with a value.
  public var valueCount: Int
  /// The size of the values in their rows, in bytes.
  public var byteCount: Int
}
