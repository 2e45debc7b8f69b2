internal import CoreDataLayout
internal import CoreDataModel

/// Finds the table of each inheritance tree and what its columns are.
///
/// Names are first assigned by the rules, as Core Data itself does whenever it opens a store. Only
/// a missing column is searched for under other numbers, and accepted if exactly one fits.
struct EntityTablePlanner {
  private let model: ManagedObjectModel
  private let numbering: EntityNumbering
  private let registry: EntityRegistry
  private let catalog: SchemaCatalog
  private var owners: [ExactString: [(entity: String, relationship: RelationshipDescription)]] = [:]

  private(set) var tables: [EntityTable] = []
  private(set) var missing: [MissingPart] = []

  init(
    model: ManagedObjectModel, numbering: EntityNumbering, registry: EntityRegistry,
    catalog: SchemaCatalog
  ) {
    self.model = model
    self.numbering = numbering
    self.registry = registry
    self.catalog = catalog
    for name in numbering.inOrder(model.entities.map(\.name)) {
      for relationship in model[name]?.relationships ?? []
      where relationship.isToMany && relationship.inverseName == nil && !relationship.isTransient {
        owners[relationship.destinationName, default: []].append((name, relationship))
      }
    }
    plan()
  }

  private mutating func plan() {
    let roots = numbering.inOrder(model.rootEntities.map(\.name))
    let found = findTables(of: roots)
    for root in roots {
      if let table = found[root] {
        plan(root, in: table)
      } else {
        missing.append(
          MissingPart(
            kind: .table, entity: root, property: nil, expectedName: EntityTable.name(ofRoot: root))
        )
      }
    }
  }

  // MARK: Tables

  private func findTables(of roots: [String]) -> [ExactString: SchemaTable] {
    var found: [ExactString: SchemaTable] = [:]
    var claimed: Set<SchemaName> = []
    for root in roots {
      guard let table = catalog.entityTable(EntityTable.name(ofRoot: root)),
        claimed.insert(SchemaName(table.name)).inserted
      else { continue }
      found[root] = table
    }
    // A table may still have the older name in Z_PRIMARYKEY or in the renaming identifier.
    var candidates: [ExactString: [SchemaTable]] = [:]
    var wanted: [SchemaName: Int] = [:]
    for root in roots where found[root] == nil {
      var seen: Set<SchemaName> = []
      let older = [
        numbering.number(of: root).flatMap { registry.row($0)?.name },
        model[root]?.renamingIdentifier,
      ]
      for name in older.compactMap(\.self) {
        guard let table = catalog.entityTable(EntityTable.name(ofRoot: name)) else { continue }
        let key = SchemaName(table.name)
        guard !claimed.contains(key), seen.insert(key).inserted else { continue }
        candidates[root, default: []].append(table)
        wanted[key, default: 0] += 1
      }
    }
    for (root, tables) in candidates {
      if tables.count == 1, let table = tables.first, wanted[SchemaName(table.name)] == 1 {
        found[root] = table
      }
    }
    return found
  }

  // MARK: Columns

  private mutating func plan(_ root: String, in table: SchemaTable) {
    let entities = numbering.tree(of: root, in: model)
    let expected = ExpectedColumns(
      model: model, numbering: numbering, entities: entities, owners: owners
    ).columns
    var matcher = ColumnMatcher(table)
    if let part = matcher.takeSystemColumns(of: root) { missing.append(part) }
    missing += matcher.match(expected)
    tables.append(
      EntityTable(
        rootEntityName: root, entityNames: entities.map(\.name), tableName: table.name,
        columns: matcher.columns, generatedColumns: matcher.generatedColumns))
  }
}
