/// A property and the entity that declares it.
package struct PropertyReference: Sendable, Hashable {
  /// The name of the entity that declares the property.
  package var entity: Name
  /// The name of the property.
  package var property: Name

  /// Creates a reference to a property.
  package init(entity: Name, property: Name) {
    self.entity = entity
    self.property = property
  }
}
