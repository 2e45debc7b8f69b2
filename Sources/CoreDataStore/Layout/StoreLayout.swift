internal import CoreDataLayout
package import CoreDataModel

/// Where a store keeps the properties of its model: the plan of every table.
///
/// Every table of the store is in exactly one of ``entityTables``, ``joinTables`` and
/// ``otherTables``, and every column of the first two has exactly one role. Whatever the model does
/// not explain is unknown, never guessed. Source of the rules: store-format, section 5.
package struct StoreLayout: Sendable {
  /// The model.
  package let model: ManagedObjectModel
  /// The numbers of the model's entities in this store.
  package let numbering: EntityNumbering
  /// The tables of objects, in ascending order of the root entities' numbers.
  package let entityTables: [EntityTable]
  /// The tables of relationships that are to-many on both sides.
  package let joinTables: [JoinTable]
  /// All other tables, in the order of the catalog.
  package let otherTables: [OtherTable]
  /// The parts of the model that the store lacks.
  package let missing: [MissingPart]

  private let tablesByEntity: [Name: Int]
  private let joinsByProperty: [PropertyReference: Int]

  /// Plans a store that has a model.
  package init(model: ManagedObjectModel, registry: EntityRegistry, catalog: SchemaCatalog) {
    let numbering = EntityNumbering(model: model, registry: registry)
    let entities = EntityTablePlanner(
      model: model, numbering: numbering, registry: registry, catalog: catalog)
    let joins = JoinTablePlanner(
      model: model, numbering: numbering, catalog: catalog,
      claimed: Set(entities.tables.map { SchemaName($0.tableName) }))
    self.init(
      model: model, numbering: numbering, entityTables: entities.tables, joinTables: joins.tables,
      missing: entities.missing + joins.missing, registry: registry, catalog: catalog)
  }

  /// Completes a plan with the tables that are neither of objects nor of relationships.
  init(
    model: ManagedObjectModel, numbering: EntityNumbering, entityTables: [EntityTable],
    joinTables: [JoinTable], missing: [MissingPart], registry: EntityRegistry,
    catalog: SchemaCatalog
  ) {
    self.model = model
    self.numbering = numbering
    self.entityTables = entityTables
    self.joinTables = joinTables
    self.missing = missing
    var claimed: Set<SchemaName> = []
    var tablesByEntity: [Name: Int] = [:]
    for (position, table) in entityTables.enumerated() {
      claimed.insert(SchemaName(table.tableName))
      for name in table.entityNames { tablesByEntity[name] = position }
    }
    var joinsByProperty: [PropertyReference: Int] = [:]
    for (position, table) in joinTables.enumerated() {
      claimed.insert(SchemaName(table.tableName))
      joinsByProperty[table.source] = position
      joinsByProperty[table.destination] = position
    }
    self.tablesByEntity = tablesByEntity
    self.joinsByProperty = joinsByProperty
    otherTables = catalog.tables.filter { !claimed.contains(SchemaName($0.name)) }
      .map { OtherTable($0, registry: registry) }
  }

  /// The table of an entity's objects; nil when the model or the store lacks it.
  package func entityTable(of entity: Name) -> EntityTable? {
    tablesByEntity[entity].map { entityTables[$0] }
  }

  /// The table of a relationship that is to-many on both sides, given with the entity that declares
  /// it; nil for every other relationship and when the store lacks it.
  package func joinTable(of relationship: PropertyReference) -> JoinTable? {
    joinsByProperty[relationship].map { joinTables[$0] }
  }
}

/// Something that the model asks for and the store lacks.
package struct MissingPart: Sendable, Hashable {
  /// The kinds of missing parts, in words.
  package enum Kind: String, Sendable {
    case table
    /// A column every table of an entity has: the entity number or the version.
    case systemColumn = "system column"
    case column
    case entityColumn = "entity column"
    case orderColumn = "order column"
    /// The column with the owner in a to-many relationship without inverse.
    case ownerColumn = "owner column"
    /// The table of a relationship that is to-many on both sides.
    case joinTable = "join table"
    /// The inverse that a to-many relationship names.
    case inverse
  }

  /// The kind of the part.
  package var kind: Kind
  /// The entity that declares it.
  package var entity: Name
  /// The property, with the elements' names after points for a composite attribute; nil for a table.
  package var property: Name?
  /// The expected name in the schema; empty if the store has no number for the entity.
  package var expectedName: String
}

extension StoreLayout {
  /// Plans a store that has no model, with a model concluded from its registry and schema.
  ///
  /// The source of the model is ``ModelSource/inferred``. All columns of a tree belong to its root
  /// entity; properties are named after their columns, and attributes have the types that the
  /// declared types suggest. A to-one relationship whose destination is not certain is an attribute,
  /// and the column of its order is unknown.
  package static func inferred(
    registry: EntityRegistry, catalog: SchemaCatalog
  ) -> (model: ManagedObjectModel, layout: StoreLayout) {
    let inference = LayoutInference(registry: registry, catalog: catalog)
    let model = inference.model
    let numbering = EntityNumbering(model: model, registry: registry)
    let layout = StoreLayout(
      model: model, numbering: numbering, entityTables: inference.tables,
      joinTables: inference.joins, missing: inference.missing, registry: registry,
      catalog: catalog)
    return (model, layout)
  }

  /// The tables of objects, ordered so that each follows the tables that it needs.
  ///
  /// A table needs the tables of the destinations of its mandatory to-one relationships. Optional
  /// relationships have no part in it. Where several tables could come next, it is the one whose
  /// root entity has the lowest number; a cycle begins with its lowest number.
  package var entityTablesInDependencyOrder: [EntityTable] {
    var positions: [Name: Int] = [:]
    for (position, table) in entityTables.enumerated() {
      for name in table.entityNames { positions[name] = position }
    }
    var needs = entityTables.enumerated().map { position, table in
      Set(mandatoryDestinations(of: table).compactMap { positions[$0] }).subtracting([position])
    }
    let cycles = cycleNumbers(of: needs)
    var open = Array(entityTables.indices)
    var ordered: [EntityTable] = []
    while !open.isEmpty {
      let next =
        open.firstIndex { needs[$0].isEmpty }
        ?? open.firstIndex { position in
          needs[position].allSatisfy { cycles[$0] == cycles[position] }
        } ?? 0
      let position = open.remove(at: next)
      ordered.append(entityTables[position])
      for other in open { needs[other].remove(position) }
    }
    return ordered
  }

  private func mandatoryDestinations(of table: EntityTable) -> [Name] {
    table.columns.compactMap { column in
      guard case .toOne(let name, let entity) = column.role,
        let relationship = model.relationship(name, of: entity)?.relationship,
        !relationship.isOptional
      else { return nil }
      return relationship.destinationName
    }
  }
}

/// A number for each position, the same for all that need each other in a circle.
///
/// Tarjan's algorithm with its own stack, so that a long chain does no harm.
private func cycleNumbers(of needs: [Set<Int>]) -> [Int] {
  let lists = needs.map { $0.sorted() }
  var numbers = Array(repeating: -1, count: needs.count)
  var found = Array(repeating: -1, count: needs.count)
  var lowest = found
  var pending: [Int] = []
  var (time, count) = (0, 0)
  for start in lists.indices where found[start] < 0 {
    var path: [(position: Int, next: Int)] = [(start, 0)]
    while let (position, next) = path.last {
      if next == 0 {
        (found[position], lowest[position]) = (time, time)
        time += 1
        pending.append(position)
      }
      if next < lists[position].count {
        path[path.count - 1].next += 1
        let other = lists[position][next]
        if found[other] < 0 {
          path.append((other, 0))
        } else if numbers[other] < 0 {
          lowest[position] = min(lowest[position], found[other])
        }
        continue
      }
      path.removeLast()
      if let above = path.last?.position { lowest[above] = min(lowest[above], lowest[position]) }
      guard lowest[position] == found[position] else { continue }
      while let last = pending.popLast() {
        numbers[last] = count
        if last == position { break }
      }
      count += 1
    }
  }
  return numbers
}
