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

  init(_ shape: TableLayout?, of source: some RowSource) {
    self.shape = shape
    let entities = source.entities
    entityNames = entities.names
    plans = shape.map { TablePlans($0, entities) }
    keyColumn = shape?.fields.firstIndex { $0.role == .primaryKey }
    versionColumn = shape?.fields.firstIndex { $0.role == .version }
    entityColumn = shape?.fields.firstIndex { $0.role == .entityNumber }
  }

  /// The column with a role, or nil.
  func column(_ role: FieldRole) -> Int? { shape?.fields.firstIndex { $0.role == role } }

  /// The plan of the lines of an entity's objects; nil if the side lacks the table.
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
