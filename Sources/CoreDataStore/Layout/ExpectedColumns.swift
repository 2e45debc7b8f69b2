package import CoreDataLayout
package import CoreDataModel

/// A column that the model asks for, with the name that the rules give it.
///
/// Source of the rules: store-format, section 5.2.
package struct ExpectedColumn {
  /// The name; empty when it holds the number of an entity that the store does not number.
  package var name: String
  /// The role of its values.
  package var role: FieldRole
  /// The report if the table lacks it.
  var missing: MissingPart.Kind
  /// The entity that declares the property.
  package var entity: Name
  /// The property, with the elements' names after points.
  package var property: Name
  /// For a column with an entity number: the part of the name after that number.
  var afterNumber: String?
  /// The position of the expectation without which this one has no meaning.
  var parent: Int?
}

/// Lists the columns of one table that the model asks for.
package struct ExpectedColumns {
  private let model: ManagedObjectModel
  private let numbering: EntityNumbering
  private var names = UniqueNames(.columns, taken: ColumnMatcher.systemColumns)
  private var orders: [(relationship: RelationshipDescription, declaredBy: Name, toOne: Int)] = []

  /// The expected columns, in the order of the assignment of names.
  package private(set) var columns: [ExpectedColumn] = []

  /// Lists the columns for the entities of a tree, which come in the order of their numbers; the
  /// owners are the to-many relationships without inverse by the entity that they lead to.
  package init(
    model: ManagedObjectModel, numbering: EntityNumbering, entities: [EntityDescription],
    owners: [Name: [(entity: Name, relationship: RelationshipDescription)]]
  ) {
    self.model = model
    self.numbering = numbering
    for entity in entities {
      for attribute in entity.attributes where !attribute.isTransient {
        expect(attribute, path: [], declaredBy: entity.name)
      }
      for relationship in entity.relationships
      where !relationship.isToMany && !relationship.isTransient {
        expect(relationship, declaredBy: entity.name)
      }
    }
    for entity in entities {
      for owner in owners[entity.name] ?? [] { expect(owner.relationship, ownedBy: owner.entity) }
    }
    for order in orders { expectOrder(of: order.relationship, order.declaredBy, order.toOne) }
  }

  /// An attribute, or the leaves of a composite one in declared order.
  private mutating func expect(
    _ attribute: AttributeDescription, path: [Name], declaredBy entity: Name
  ) {
    let path = path + [attribute.name]
    guard !attribute.isComposite else {
      for element in attribute.elements { expect(element, path: path, declaredBy: entity) }
      return
    }
    columns.append(
      ExpectedColumn(
        name: names.take("Z" + attribute.name.text.uppercased()),
        role: .attribute(
          path: path, type: attribute.type,
          isExternal: attribute.allowsExternalBinaryDataStorage, entity: entity),
        missing: .column, entity: entity, property: Name(path: path)))
  }

  /// A to-one relationship, with the entity column if the destination has subentities.
  private mutating func expect(_ relationship: RelationshipDescription, declaredBy entity: Name) {
    let (name, destination) = (relationship.name, relationship.destinationName)
    let column = names.take("Z" + name.text.uppercased())
    let toOne = columns.count
    columns.append(
      ExpectedColumn(
        name: column,
        role: .toOne(name: name, entity: entity),
        missing: .column, entity: entity, property: name))
    if !model.subentityNames(of: destination).isEmpty {
      let rest = "_" + column.droppingScalars(1)
      let number = numbering.number(of: destination)
      columns.append(
        ExpectedColumn(
          name: number.map { names.take("Z\($0)\(rest)") } ?? "",
          role: .toOneEntity(name: name, entity: entity),
          missing: .entityColumn, entity: entity, property: name, afterNumber: rest,
          parent: toOne))
    }
    if let inverse = model.inverse(of: relationship)?.relationship, inverse.isToMany,
      inverse.isOrdered, !inverse.isTransient
    {
      orders.append((relationship, entity, toOne))
    }
  }

  /// The column for the owner in a to-many relationship without inverse, and for its order.
  private mutating func expect(_ relationship: RelationshipDescription, ownedBy entity: Name) {
    let rest = relationship.name.text.uppercased()
    let column = numbering.number(of: entity).map { names.take("Z\($0)\(rest)") } ?? ""
    let owner = columns.count
    columns.append(
      ExpectedColumn(
        name: column, role: .owner(entity: entity, relationship: relationship.name),
        missing: .ownerColumn, entity: entity, property: relationship.name, afterNumber: rest))
    guard relationship.isOrdered else { return }
    columns.append(
      ExpectedColumn(
        name: column.isEmpty ? "" : names.take("Z_FOK_" + column.droppingScalars(1)),
        role: .ownerOrder(entity: entity, relationship: relationship.name),
        missing: .orderColumn, entity: entity, property: relationship.name, parent: owner))
  }

  /// The column for the order among the objects that share a destination.
  private mutating func expectOrder(
    of relationship: RelationshipDescription, _ entity: Name, _ toOne: Int
  ) {
    columns.append(
      ExpectedColumn(
        name: names.take("Z_FOK_" + columns[toOne].name.droppingScalars(1)),
        role: .order(name: relationship.name, entity: entity),
        missing: .orderColumn, entity: entity, property: relationship.name, parent: toOne))
  }
}
