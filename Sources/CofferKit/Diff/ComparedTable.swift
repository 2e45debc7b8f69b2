internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// A table on one side of a comparison, and how to interpret its rows.
struct ComparedTable {
  /// The names of the entities by number.
  let entityNames: [Int64: String]
  /// The plans of its lines; nil if the side lacks the table.
  private let plans: TablePlans?
  private let shape: TableLayout?
  let keyColumn: Int?
  let versionColumn: Int?
  let entityColumn: Int?
  /// By column: the entity that a to-one relationship leads to; nil for other columns.
  private let destinationNames: [String?]

  init(_ shape: TableLayout?, of source: some RowSource) {
    self.shape = shape
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
  }

  /// The column with a role, or nil.
  func column(_ role: FieldRole) -> Int? { shape?.fields.firstIndex { $0.role == role } }

  /// The name of the entity that a to-one relationship of a row leads to; nil where it is unknown.
  func destinationName(_ place: RowPairing.Place, of row: Row) -> String? {
    if place.entityColumn >= 0 {
      return row.integer(Int(place.entityColumn)).flatMap { entityNames[$0] }
    }
    return place.column >= 0 ? destinationNames[Int(place.column)] : nil
  }

  /// How the lines of an entity's objects look; nil where the side does not have the table.
  func plan(for entity: Int64?) -> LinePlan? { plans?.plan(for: entity) }

  /// The entity number of a row; nil for rows that are not objects, and for values that are not
  /// integers.
  func entityNumber(of row: Row) -> Int64? { entityColumn.flatMap { row.integer($0) } }

  /// The name of an entity by its number; nil if the number has no name.
  func entityName(_ number: Int64?) -> String? {
    entityColumn == nil ? shape?.entityName : number.flatMap { entityNames[$0] }
  }

  /// Identifies the object in a row.
  ///
  /// - Returns: the object, with the root entity if its own is unknown; nil if the row has no key.
  func objectID(_ row: Row) -> ManagedObjectID? {
    guard let key = keyColumn.flatMap({ row.integer($0) }) else { return nil }
    let name = entityName(entityNumber(of: row)) ?? shape?.entityName ?? ""
    return ManagedObjectID(entityName: name, primaryKey: key)
  }
}
