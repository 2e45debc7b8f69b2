package import CoreDataLayout
package import CoreDataModel

/// Finds the table of each inheritance tree and the meaning of its columns.
///
/// Names are first assigned by the rules, as Core Data itself does whenever it opens a store. Only
/// a missing column is searched for under other numbers, and accepted if exactly one fits.
struct EntityTablePlanner {
  private let model: ManagedObjectModel
  private let numbering: EntityNumbering
  private let registry: EntityRegistry
  private let catalog: SchemaCatalog
  private let owners: [Name: [(entity: Name, relationship: RelationshipDescription)]]

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
    owners = numbering.oneSidedRelationships(in: model)
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

  private func findTables(of roots: [Name]) -> [Name: SchemaTable] {
    var found: [Name: SchemaTable] = [:]
    var claimed: Set<SchemaName> = []
    for root in roots {
      guard let table = catalog.entityTable(EntityTable.name(ofRoot: root)),
        claimed.insert(SchemaName(table.name)).inserted
      else { continue }
      found[root] = table
    }
    // A table may still have the older name in Z_PRIMARYKEY or in the renaming identifier.
    var candidates: [Name: [SchemaTable]] = [:]
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

  private mutating func plan(_ root: Name, in table: SchemaTable) {
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

/// The table of an inheritance tree: the objects of the root entity and of all below it.
package struct EntityTable: Sendable, Equatable {
  /// The name of the root entity.
  package var rootEntityName: Name
  /// The names of the root entity and of all below it, depth first.
  package var entityNames: [Name]
  /// The name of the table.
  package var tableName: String
  /// The columns that can be written, in declared order.
  package var columns: [FieldLayout]
  /// The columns whose values are computed from others, in declared order.
  package var generatedColumns: [String]

  /// The columns that the model does not explain, columns with computed values last.
  package var unexplainedColumns: [String] {
    columns.filter { $0.role == .plain }.map(\.storedName) + generatedColumns
  }

  /// The position of the column of a role, or nil when the table has none.
  package func position(of role: FieldRole) -> Int? {
    columns.firstIndex { $0.role == role }
  }

  /// The name of the table of a root entity (store-format, section 5.1).
  package static func name(ofRoot root: Name) -> String { "Z" + root.text.uppercased() }
}

extension SchemaCatalog {
  /// The table of that name when objects can be read from it, nil otherwise.
  ///
  /// It is not a virtual table, its primary key is Z_PK, and its rows name their entities.
  func entityTable(_ name: String) -> SchemaTable? {
    guard let table = table(name), table.kind == .ordinary,
      table.rowIDAlias.map({ SchemaName($0) }) == SchemaName("Z_PK"),
      let entity = table.column("Z_ENT"), !entity.isGenerated
    else { return nil }
    return table
  }
}
