internal import CoreDataLayout
package import CoreDataModel

/// An object of a store that is edited: the place of its table among the tables of objects, and its
/// primary key.
package struct StoredObject: Sendable, Hashable {
  /// The index of the table in ``StoreLayout/entityTables``.
  package var table: Int
  /// The primary key.
  package var key: Int64

  /// Names an object.
  package init(table: Int, key: Int64) {
    self.table = table
    self.key = key
  }
}

/// A column that holds the key of an object: of the destination of a to-one relationship, or of the
/// owner in a to-many relationship without inverse.
package struct EditedReference: Sendable {
  /// The index of the table with the column.
  package let table: Int
  /// The column.
  package let column: Int
  /// The column with the number of the entity of the object that is referred to; nil for none.
  package let entityColumn: Int?
  /// The column with the position among the objects that refer to the same object; nil for none.
  package let orderColumn: Int?
  /// The index of the table of the object that is referred to.
  package let destinationTable: Int
  /// The relationship that the column is of; nil for a column with owners.
  package let relationship: RelationshipDescription?
  /// The relationship in the other direction with the entity that declares it; nil for none.
  package let inverse: (entity: Name, relationship: RelationshipDescription)?
  /// The numbers of the entities whose objects have the column.
  package let holders: Set<Int64>
  /// The reference in the other direction, of a relationship that is to-one on both sides.
  package fileprivate(set) var partner: Int?
}

/// One end of a join table.
package struct EditedPairEnd: Sendable {
  /// The index of the table of the objects at this end.
  package let table: Int
  /// The column with their keys.
  package let column: String
  /// The column with the destination's position in this ordered relationship; nil for none.
  package let orderColumn: String?
  /// The relationship from the objects at this end to the others, with the entity that declares it.
  package let property: PropertyReference
  /// Its description.
  package let relationship: RelationshipDescription
}

/// The table of a relationship that is to-many on both sides.
package struct EditedPairs: Sendable {
  /// The name of the table.
  package let name: String
  /// The source and the destination.
  package let ends: [EditedPairEnd]
  /// Whether the relationship is its own inverse, so that a pair may be stored in one direction or in both.
  package let isReflexive: Bool
}

/// Objects with positions: the objects in a column with references, or at an end of pairs.
package struct OrderedRelationship: Sendable {
  /// The name of the table with the positions.
  package let tableName: String
  /// The same, and the names of its columns, quoted.
  package let table: String
  /// The column of the object at a position.
  package let member: String
  /// The column of the object that has the list.
  package let owner: String
  /// The column of the position.
  package let order: String
  /// The indexes of the tables of the owners and of the members.
  package let ownerTable: Int
  package let memberTable: Int
  /// The number of the position's column among the properties of a member; nil for pairs.
  let memberProperty: Int?
  /// The to-many relationship, as a property of the owner; nil where the model has none.
  let ownerProperty: Int?

  /// The statement for the keys of the members of an owner, in order; members without a position last.
  package var memberStatement: String {
    "SELECT \(member) FROM \(table) WHERE \(owner) = ? ORDER BY \(order) IS NULL, \(order), \(member)"
  }
}

/// The facts about a store's tables that an editor of objects needs.
package struct EditedSchema: Sendable {
  /// The tables of objects.
  package let tables: [EntityTable]
  /// All columns with keys of objects.
  package private(set) var references: [EditedReference] = []
  /// All join tables.
  package private(set) var pairs: [EditedPairs] = []
  /// All relationships with positions.
  package private(set) var ordered: [OrderedRelationship] = []
  /// The index of the order of a reference in ``ordered``.
  package private(set) var orderOfReference: [Int: Int] = [:]
  /// The index of the order of pairs in ``ordered``: by join table and the end of the owners.
  package private(set) var orderOfPairs: [[Int]: Int] = [:]
  let model: ManagedObjectModel
  let numbering: EntityNumbering
  /// The to-many relationships by table, which follow the columns in the numbers of properties.
  private(set) var toMany: [[PropertyReference]]
  private let indexes: [Name: Int]

  /// Finds the relationships of a store in its layout.
  package init(_ layout: StoreLayout) {
    tables = layout.entityTables
    model = layout.model
    numbering = layout.numbering
    var indexes: [Name: Int] = [:]
    for (index, table) in tables.enumerated() {
      for name in table.entityNames { indexes[name] = index }
    }
    self.indexes = indexes
    toMany = tables.map { table in
      table.entityNames.flatMap { name in
        (layout.model[name]?.relationships ?? []).filter(\.isToMany)
          .map { PropertyReference(entity: name, property: $0.name) }
      }
    }
    findReferences()
    findPairs(layout)
  }

  /// The index of the table of an entity's objects; nil if the store has none.
  package func table(of entity: Name) -> Int? { indexes[entity] }

  /// The numbers of an entity and of all below it.
  package func numbers(below entity: Name) -> Set<Int64> {
    Set(model.tree(of: entity).compactMap { numbering.number(of: $0.name) })
  }

  /// The number of a to-many relationship among the properties of a table; nil if it has none.
  func property(_ reference: PropertyReference, in table: Int) -> Int? {
    toMany[table].firstIndex(of: reference).map { tables[table].columns.count + $0 }
  }

  // MARK: Columns

  private mutating func findReferences() {
    var positions: [[Int]: Int] = [:]
    for (index, table) in tables.enumerated() {
      for (column, field) in table.columns.enumerated() {
        guard let reference = reference(column, field.role, table, index) else { continue }
        positions[[index, column]] = references.count
        references.append(reference)
      }
    }
    for (index, reference) in references.enumerated() {
      if let inverse = reference.inverse, !inverse.relationship.isToMany {
        let role = FieldRole.toOne(name: inverse.relationship.name, entity: inverse.entity)
        references[index].partner = tables[reference.destinationTable].position(of: role)
          .flatMap { positions[[reference.destinationTable, $0]] }
      }
      guard let order = reference.orderColumn else { continue }
      let table = tables[reference.table]
      orderOfReference[index] = ordered.count
      ordered.append(
        OrderedRelationship(
          tableName: table.tableName, table: quotedIdentifier(table.tableName),
          member: quotedIdentifier(StoredName.primaryKey),
          owner: quotedIdentifier(table.columns[reference.column].storedName),
          order: quotedIdentifier(table.columns[order].storedName),
          ownerTable: reference.destinationTable, memberTable: reference.table,
          memberProperty: order,
          ownerProperty: reference.inverse.flatMap {
            property(
              PropertyReference(entity: $0.entity, property: $0.relationship.name),
              in: reference.destinationTable)
          }))
    }
  }

  private func reference(
    _ column: Int, _ role: FieldRole, _ table: EntityTable, _ index: Int
  ) -> EditedReference? {
    switch role {
    case .toOne(let name, let entity):
      guard let relationship = model[entity]?.relationship(name),
        let destination = self.table(of: relationship.destinationName)
      else { return nil }
      let inverse = model.inverse(of: relationship).map { ($0.declaredBy, $0.relationship) }
      return EditedReference(
        table: index, column: column,
        entityColumn: table.position(of: .toOneEntity(name: name, entity: entity)),
        orderColumn: table.position(of: .order(name: name, entity: entity)),
        destinationTable: destination, relationship: relationship, inverse: inverse,
        holders: numbers(below: entity))
    case .owner(let entity, let name):
      guard let relationship = model[entity]?.relationship(name), let owner = self.table(of: entity)
      else { return nil }
      return EditedReference(
        table: index, column: column, entityColumn: nil,
        orderColumn: table.position(of: .ownerOrder(entity: entity, relationship: name)),
        destinationTable: owner, relationship: nil, inverse: (entity, relationship),
        holders: numbers(below: relationship.destinationName))
    default: return nil
    }
  }

  // MARK: Pairs

  private mutating func findPairs(_ layout: StoreLayout) {
    for table in layout.joinTables {
      let ends = [
        end(table.source, table.sourceColumn, table.orderColumn),
        end(table.destination, table.destinationColumn, table.inverseOrderColumn),
      ].compactMap(\.self)
      guard ends.count == 2 else { continue }
      for (number, end) in ends.enumerated() {
        guard let order = end.orderColumn else { continue }
        let other = ends[1 - number]
        orderOfPairs[[pairs.count, number]] = ordered.count
        ordered.append(
          OrderedRelationship(
            tableName: table.tableName, table: quotedIdentifier(table.tableName),
            member: quotedIdentifier(other.column),
            owner: quotedIdentifier(end.column), order: quotedIdentifier(order),
            ownerTable: end.table, memberTable: other.table, memberProperty: nil,
            ownerProperty: property(end.property, in: end.table)))
      }
      pairs.append(EditedPairs(name: table.tableName, ends: ends, isReflexive: table.isReflexive))
    }
  }

  private func end(
    _ property: PropertyReference, _ column: String, _ order: String?
  ) -> EditedPairEnd? {
    guard let relationship = model[property.entity]?.relationship(property.property),
      let table = table(of: property.entity)
    else { return nil }
    return EditedPairEnd(
      table: table, column: column, orderColumn: order, property: property,
      relationship: relationship)
  }
}

extension OrderedRelationship {
  /// The name of the to-many relationship; nil where the model has none.
  package func ownerName(in schema: EditedSchema) -> Name? {
    ownerProperty.map {
      schema.toMany[ownerTable][$0 - schema.tables[ownerTable].columns.count].property
    }
  }
}
