/// A property and the entity that declares it.
public struct PropertyReference: Sendable, Hashable {
  /// The name of the entity that declares the property.
  public var entity: String
  /// The name of the property.
  public var property: String

  /// Creates a reference to a property.
  public init(entity: String, property: String) {
    self.entity = entity
    self.property = property
  }

  /// Whether two references have the same names, to the byte.
  public static func == (left: Self, right: Self) -> Bool {
    left.property.hasSameBytes(as: right.property)
      && left.entity.hasSameBytes(as: right.entity)
  }

  /// Takes the names into a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ExactString(entity))
    hasher.combine(ExactString(property))
  }
}
