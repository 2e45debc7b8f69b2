internal import CoreDataLayout
internal import CoreDataModel

/// A column that holds an attribute, or an element of a composite one, with what the model says of it.
struct AttributeColumn {
  /// The position of the column in its table.
  let column: Int
  /// The entity that declares the attribute.
  let entityName: String
  /// The name by which findings call it: the names of composite attributes around it, then its own.
  let name: String
  /// The attribute itself; for an element of a composite attribute, the element.
  let attribute: AttributeDescription
  /// The composite attributes around it, the outermost first; empty for most.
  let enclosing: [AttributeDescription]
  /// The type of the values that the column holds.
  let type: AttributeType
  /// Whether a marker before the bytes says where they stand.
  let isExternal: Bool

  /// The attributes of all objects of a table, in the order of its columns; those that the model does
  /// not have are left out.
  static func all(of table: VerifiedTable, _ model: ManagedObjectModel) -> [AttributeColumn] {
    table.shape.fields.enumerated().compactMap { AttributeColumn($1, at: $0, model) }
  }

  private init?(_ field: FieldLayout, at column: Int, _ model: ManagedObjectModel) {
    guard case .attribute(let path, let type, let isExternal, let entity) = field.role,
      var candidates = model[entity]?.attributes
    else { return nil }
    var chain: [AttributeDescription] = []
    for name in path {
      guard let found = candidates.first(where: { $0.name.hasSameBytes(as: name) }) else {
        return nil
      }
      chain.append(found)
      candidates = found.elements
    }
    guard let attribute = chain.popLast() else { return nil }
    self.column = column
    self.entityName = entity
    self.name = path.joined(separator: ".")
    self.attribute = attribute
    self.enclosing = chain
    self.type = type
    self.isExternal = isExternal
  }
}
