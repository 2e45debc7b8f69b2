internal import CoreDataLayout
package import CoreDataModel

/// A column of an attribute, or of an element of a composite attribute, with its description.
package struct AttributeColumn {
  /// The index of the column in its table.
  package let column: Int
  /// The entity that declares the attribute.
  package let entityName: Name
  /// The name in findings: the names of enclosing composite attributes, then its own.
  package let name: Name
  /// The attribute itself; for an element of a composite attribute, the element.
  let attribute: AttributeDescription
  /// The enclosing composite attributes, outermost first; empty for most.
  package let enclosing: [AttributeDescription]
  /// The type of the values in the column.
  package let type: AttributeType
  /// Whether a marker before the bytes records their place.
  package let isExternal: Bool

  /// The attributes of a table's objects, in the order of its columns, without those that the model
  /// lacks.
  package static func all(of table: VerifiedTable, _ model: ManagedObjectModel) -> [AttributeColumn]
  {
    table.shape.fields.enumerated().compactMap { AttributeColumn($1, at: $0, model) }
  }

  private init?(_ field: FieldLayout, at column: Int, _ model: ManagedObjectModel) {
    guard case .attribute(let path, let type, let isExternal, let entity) = field.role,
      var candidates = model[entity]?.attributes
    else { return nil }
    var chain: [AttributeDescription] = []
    for name in path {
      guard let found = candidates.first(where: { $0.name == name }) else {
        return nil
      }
      chain.append(found)
      candidates = found.elements
    }
    guard let attribute = chain.popLast() else { return nil }
    self.column = column
    self.entityName = entity
    self.name = Name(path: path)
    self.attribute = attribute
    self.enclosing = chain
    self.type = type
    self.isExternal = isExternal
  }
}
