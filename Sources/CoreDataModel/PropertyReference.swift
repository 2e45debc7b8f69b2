/// A property and the entity that declares it.
public struct PropertyReference: Sendable, Hashable {
  /// The name of the entity that declares the property.
  public var entity: Name
  /// The name of the property.
  public var property: Name

  /// Creates a reference to a property.
  public init(entity: Name, property: Name) {
    self.entity = entity
    self.property = property
  }
}
