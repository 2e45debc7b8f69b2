internal import CoreDataLayout
internal import CoreDataModel

/// A column with the keys of objects: a to-one relationship, an owner, or an end of pairs.
struct RowLink {
  /// A column of a table, both by their indices.
  struct Place: Hashable {
    var table: Int
    var column: Int
  }

  let place: Place
  /// The index of the table of the destinations.
  let destination: Int
  /// The column with the position of the row among those with the same destination.
  let orderColumn: Int?
  /// Whether findings about other rows with the same destination depend on a row.
  var isShared = false
  /// Whether findings about a row depend on the values of its destination, and findings about an object on
  /// the rows that lead to it.
  var isMutual = false
}

extension RowLink {
  /// All links between the tables of objects and pairs.
  static func all(_ context: VerificationContext) -> [RowLink] {
    var links = context.tables.flatMap { table in
      table.shape.fields.indices.compactMap { RowLink($0, of: table, context) }
    }
    let (shared, mutual) = places(context)
    for index in links.indices {
      let place = links[index].place
      links[index].isMutual = mutual.contains(place)
      links[index].isShared =
        links[index].isMutual || shared.contains(place) || links[index].orderColumn != nil
    }
    return links
  }

  /// Describes a column; nil if it has no keys, or keys of objects that have no table.
  private init?(_ column: Int, of table: VerifiedTable, _ context: VerificationContext) {
    let model = context.subject.model
    let entity: Name?
    var order: FieldRole?
    switch table.shape.fields[column].role {
    case .toOne(let name, let declarer):
      entity = model.relationship(name, of: declarer)?.relationship.destinationName
      order = .order(name: name, entity: declarer)
    case .owner(let owner, let relationship):
      entity = owner
      order = .ownerOrder(entity: owner, relationship: relationship)
    case .source:
      entity = table.shape.entityName
      order = .destinationOrder
    case .destination:
      entity =
        table.shape.relationshipName.flatMap { name in
          table.shape.entityName.flatMap { model.relationship(name, of: $0) }
        }?.relationship.destinationName
      order = .sourceOrder
    default: return nil
    }
    guard let destination = entity.flatMap(context.table(ofEntity:)) else { return nil }
    place = Place(table: table.index, column: column)
    self.destination = destination.index
    orderColumn = order.flatMap(table.column)
  }

  /// The columns that limited and counted relationships share, and the columns of one-to-one relationships
  /// and derived attributes, as the checks find them.
  private static func places(
    _ context: VerificationContext
  ) -> (shared: Set<Place>, mutual: Set<Place>) {
    var (shared, mutual): (Set<Place>, Set<Place>) = ([], [])
    let derived = derivedNames(context)
    for entity in context.subject.model.entities {
      for relationship in entity.relationships {
        let isDerived = derived.contains(relationship.name)
        guard isDerived || relationship.isLimited else { continue }
        switch CountedPlace(relationship, of: entity.name, context) {
        case .pairs(let table, let columns):
          let found = columns.map { Place(table: table, column: $0.owner) }
          shared.formUnion(found)
          if isDerived { mutual.formUnion(found) }
        case .column(let table, let column, _):
          shared.insert(Place(table: table, column: column))
          if isDerived { mutual.insert(Place(table: table, column: column)) }
        case nil: break
        }
      }
    }
    for table in context.objectTables {
      for (column, field) in table.shape.fields.enumerated() {
        guard case .toOne(let name, _) = field.role else { continue }
        let place = Place(table: table.index, column: column)
        if derived.contains(name) { mutual.insert(place) }
        guard let side = OneToOneSide(column, of: table, context) else { continue }
        mutual.insert(place)
        mutual.insert(Place(table: side.inverse.table.index, column: side.inverse.column))
      }
    }
    return (shared, mutual)
  }

  /// The names in the key paths of derived attributes, among them all relationships that they use.
  private static func derivedNames(_ context: VerificationContext) -> Set<Name> {
    var names: Set<Name> = []
    for entity in context.subject.model.entities {
      for attribute in entity.attributes where attribute.isDerived {
        guard let derived = DerivedAttribute(attribute, of: entity, context) else { continue }
        names.formUnion(derived.keyPath ?? [])
        if let counted = derived.countedRelationship { names.insert(counted) }
      }
    }
    return names
  }
}
