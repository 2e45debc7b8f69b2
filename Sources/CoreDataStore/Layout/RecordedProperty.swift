package import CoreDataLayout
package import CoreDataModel

/// A property with a position in the mask of a change in the persistent history.
package enum RecordedProperty: Sendable, Equatable {
  case column(Int)
  /// A to-many relationship, of the entity that declares it.
  case toMany(PropertyReference)

  /// The properties of an entity in the order of the places in the mask of a change.
  ///
  /// To-one relationships come first, each followed by the entity of its destination, then positions,
  /// attributes and to-many relationships: each from the root entity down, by name.
  ///
  /// Source: store-format, section 7; measured up to version 1526 of the framework.
  ///
  /// - Returns: the properties; none for an entity that the model does not have.
  package static func order(
    of entity: Name, in model: ManagedObjectModel, columns: [FieldRole]
  ) -> [RecordedProperty] {
    var (references, orders, attributes): ([Int], [Int], [Int]) = ([], [], [])
    var toMany: [Self] = []
    func position(of role: FieldRole) -> Int? { columns.firstIndex(of: role) }
    for declarer in model.lineage(of: entity) {
      for relationship in declarer.relationships {
        let (name, entity) = (relationship.name, declarer.name)
        if relationship.isToMany {
          if !relationship.isTransient {
            toMany.append(.toMany(PropertyReference(entity: entity, property: name)))
          }
          continue
        }
        references += [
          position(of: .toOne(name: name, entity: entity)),
          position(of: .toOneEntity(name: name, entity: entity)),
        ].compactMap { $0 }
        if let column = position(of: .order(name: name, entity: entity)) { orders.append(column) }
      }
      for attribute in declarer.attributes {
        for (column, role) in columns.enumerated() {
          guard case .attribute(let path, _, _, let entity) = role,
            entity == declarer.name, path.first == attribute.name
          else { continue }
          attributes.append(column)
        }
      }
    }
    return (references + orders + attributes).map { .column($0) } + toMany
  }
}
