internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The columns of a fresh store by property.
struct DesignColumns {
  /// The positions of an entity and its subentities among the entities of their table.
  private struct Place {
    let table: Int
    let first: Int
    var end: Int
  }

  private struct TablePath: Hashable {
    let table: Int
    let path: Name
  }

  private let model: ManagedObjectModel
  private var columns: [PropertyReference: String] = [:]
  private var places: [Name: Place] = [:]
  private var byPath: [TablePath: [(place: Int, column: String)]] = [:]
  private var tableCount = 0

  init(model: ManagedObjectModel) { self.model = model }

  /// Adds the columns of a table, whose entities come depth first.
  mutating func add(_ entities: [EntityDescription], _ expected: [ExpectedColumn]) {
    for (place, entity) in entities.enumerated() {
      places[entity.name] = Place(table: tableCount, first: place, end: place + 1)
    }
    for entity in entities.reversed() {
      guard let end = places[entity.name]?.end, let above = entity.superentityName,
        let known = places[above]?.end
      else { continue }
      places[above]?.end = max(known, end)
    }
    for column in expected {
      let path: Name
      switch column.role {
      case .attribute, .toOne: path = column.property
      default: continue
      }
      columns[PropertyReference(entity: column.entity, property: path)] = column.name
      guard let place = places[column.entity]?.first else { continue }
      byPath[TablePath(table: tableCount, path: path), default: []]
        .append((place, column.name))
    }
    tableCount += 1
  }

  /// The column of a property that the entity itself declares, or of an element by its path.
  func column(declaredBy entity: Name, path: Name) -> String? {
    columns[PropertyReference(entity: entity, property: path)]
  }

  /// The column of a property of the entity: its own, an inherited one, or the column of the first
  /// subentity that declares it; nil if there is none.
  func column(of entity: Name, path: Name) -> String? {
    if path == "self" || path == "SELF" { return StoredName.primaryKey }
    if path == "entity" { return StoredName.entityNumber }
    for declarer in model.lineage(of: entity).reversed() {
      if let column = column(declaredBy: declarer.name, path: path) { return column }
    }
    guard let place = places[entity] else { return nil }
    let candidates = byPath[TablePath(table: place.table, path: path)] ?? []
    return candidates.first { $0.place >= place.first && $0.place < place.end }?.column
  }
}
