package import CofferCore
internal import CoreDataLayout
package import CoreDataModel

/// A table on one side of a comparison, and how to interpret its rows.
package struct ComparedTable {
  let entityNames: [Int64: Name]
  /// The plans of its lines; nil if the side lacks the table.
  private let plans: TablePlans?
  private let shape: TableLayout?
  let keyColumn: Int?
  let versionColumn: Int?
  let entityColumn: Int?
  /// By column: the entity that a to-one relationship leads to; nil for other columns.
  private let destinationNames: [Name?]
  /// By column: the table of the object whose key is in it, if that table has numbers; nil for other
  /// columns.
  private let numberedTables: [Int?]
  private let side: SourceSide
  private let objects: MatchedObjects

  /// Describes a table; nil for one that the source lacks.
  init(
    _ shape: TableLayout?, of source: some RowSource, _ side: SourceSide, _ objects: MatchedObjects
  ) {
    self.shape = shape
    self.side = side
    self.objects = objects
    let entities = source.entities
    entityNames = entities.names
    plans = shape.map { TablePlans($0, entities) }
    keyColumn = shape?.fields.firstIndex { $0.role == .primaryKey }
    versionColumn = shape?.fields.firstIndex { $0.role == .version }
    entityColumn = shape?.fields.firstIndex { $0.role == .entityNumber }
    let model = source.model
    destinationNames = (shape?.fields ?? []).map { field in
      guard case .toOne(let name, let entity) = field.role else { return nil }
      return model.relationship(name, of: entity)?.relationship.destinationName
    }
    numberedTables = (shape?.fields ?? []).map { field in
      let entity = shape.flatMap { source.destination(of: field, in: $0) }
      let table = entity.flatMap { source.tableIndex(ofEntity: $0) }
      return objects.hasNumbers(table, on: side) ? table : nil
    }
  }

  /// Whether some column has the key of an object with a number.
  var refersToNumbers: Bool { numberedTables.contains { $0 != nil } }

  func refersToNumbers(_ column: Int32) -> Bool {
    column >= 0 && numberedTables[Int(column)] != nil
  }

  /// The object that a column refers to; nil if it refers to none with a number.
  func identity(_ column: Int32, of row: Row) throws(CofferError) -> MatchedObjects.Identity? {
    guard column >= 0, let table = numberedTables[Int(column)], let key = row.integer(Int(column))
    else { return nil }
    return try objects.identity(of: key, in: table, on: side)
  }

  func column(_ role: FieldRole) -> Int? { shape?.fields.firstIndex { $0.role == role } }

  /// The name of the entity that a to-one relationship of a row leads to; nil if unknown.
  func destinationName(_ place: RowPairing.Place, of row: Row) -> Name? {
    if place.entityColumn >= 0 {
      return row.integer(Int(place.entityColumn)).flatMap { entityNames[$0] }
    }
    return place.column >= 0 ? destinationNames[Int(place.column)] : nil
  }

  /// The form of the lines of an entity's objects; nil if the side does not have the table.
  func plan(for entity: Int64?) -> LinePlan? { plans?.plan(for: entity) }

  /// The entity number of a row; nil for rows that are not objects, and for values that are not
  /// integers.
  func entityNumber(of row: Row) -> Int64? { entityColumn.flatMap { row.integer($0) } }

  /// The name of an entity by its number; nil if the number has no name.
  func entityName(_ number: Int64?) -> Name? {
    entityColumn == nil ? shape?.entityName : number.flatMap { entityNames[$0] }
  }

  /// Identifies the object in a row.
  ///
  /// - Returns: the object, with the root entity if its own is unknown; nil if the row has no key.
  package func objectID(_ row: Row) -> ManagedObjectID? {
    guard let key = keyColumn.flatMap({ row.integer($0) }) else { return nil }
    let name = entityName(entityNumber(of: row)) ?? shape?.entityName ?? ""
    return ManagedObjectID(entityName: name, primaryKey: key)
  }
}

extension RowSource {
  /// The entity of the objects whose keys are in a column; nil for other columns.
  func destination(of field: FieldLayout, in shape: TableLayout) -> Name? {
    switch field.role {
    case .toOne(let name, let entity):
      model.relationship(name, of: entity)?.relationship.destinationName
    case .owner(let entity, _): entity
    case .source: shape.entityName
    case .destination:
      model.relationship(shape.relationshipName ?? "", of: shape.entityName ?? "")?
        .relationship.destinationName
    default: nil
    }
  }
}
