package import CoreDataModel
package import CoreDataStore

/// A plan that converts the rows of one store into rows of another, by a mapping between their
/// models.
///
/// A pure value: what to read and where to write it. Primary keys and version counters stay the
/// same; entity numbers are replaced by the new store's everywhere. Source for the meaning of
/// columns: store-format, section 5.
package struct TransferPlan: Sendable {
  /// The tables; tables of objects precede join tables.
  package private(set) var statements: [TransferStatement] = []
  /// The counts to check in the old store first.
  package private(set) var checks: [TransferCheck] = []
  /// The problems that do not depend on the rows.
  package private(set) var problems: [MappingProblem] = []
  /// The entities whose objects are dropped, with statements that count them.
  package private(set) var droppedEntities: [(name: Name, sql: String)] = []
  /// The properties of remaining entities that the new model lacks, with statements that count their
  /// values.
  package private(set) var droppedProperties: [DroppedProperty] = []
  /// The relationships whose references might not all arrive, with statements that count them.
  package private(set) var countedReferences: [CountedReferences] = []
  /// The orders that the new model lacks, with statements that count their references.
  package private(set) var droppedOrders: [DroppedOrder] = []
  /// Whether the persistent history is migrated; its tables are the last.
  package private(set) var keepsHistory = false
  /// The counters of primary keys of the framework's own entities, if the history is migrated.
  package private(set) var systemCounters: [EntityRegistry.Row] = []
  /// The counters of primary keys that each new root entity is to have at least, by its number.
  package private(set) var counters: [Int64: Int64] = [:]

  /// Plans the transfer.
  ///
  /// - Parameters:
  ///   - mapping: the mapping between the models of the stores, one without problems.
  ///   - source: the meaning of the old store's tables.
  ///   - registry: the numbers and counters of the old store.
  ///   - destination: the meaning of the new store's tables.
  ///   - catalogs: the declarations of the old and new schemas.
  package init(
    mapping: ModelMapping, from source: StoreLayout, registry: EntityRegistry,
    to destination: StoreLayout, catalogs: (old: SchemaCatalog, new: SchemaCatalog)
  ) {
    var planner = TransferPlanner(mapping: mapping, source: source, destination: destination)
    for table in destination.entityTables { planner.plan(table) }
    for table in destination.joinTables { planner.plan(table) }
    statements = planner.statements
    if let history = HistoryTransfer(planner, from: catalogs.old, to: catalogs.new) {
      statements += history.statements
      keepsHistory = true
      systemCounters = registry.systemRows.filter { row in
        catalogs.new.table(StoredName.systemTable(ofEntity: row.name)) != nil
      }
    }
    var checks = TransferChecks(planner)
    checks.addAll()
    self.checks = checks.checks
    problems = planner.problems + checks.problems
    for entity in mapping.entities where entity.kind == .removed {
      guard let name = entity.sourceName, let table = source.entityTable(of: name),
        let number = source.numbering.number(of: name)
      else { continue }
      droppedEntities.append(
        (
          name,
          "SELECT count(*) FROM \(quotedIdentifier(table.tableName)) "
            + "WHERE \(TransferPlanner.entityNumber) = \(number)"
        ))
    }
    let counts = TransferCounts(planner)
    droppedProperties = counts.droppedProperties
    countedReferences = counts.countedReferences
    droppedOrders = counts.droppedOrders
    for table in destination.entityTables {
      guard let number = destination.numbering.number(of: table.rootEntityName),
        let old = planner.sourceTable(of: table),
        let oldNumber = source.numbering.number(of: old.rootEntityName),
        let highest = registry.row(oldNumber)?.maximumPrimaryKey.integer
      else { continue }
      counters[number] = highest
    }
  }
}

/// Migrates the persistent history if it stays true.
///
/// A change names its object's entity by a number, and the changed properties by their positions among
/// all that are kept of the entity; a deletion keeps values in the order of the attributes (store-format,
/// section 7). Numbers can be rewritten. Positions cannot, since two rules for them are reported: so
/// nothing may be added, removed, renamed, moved or kept in another way in any entity.
struct HistoryTransfer {
  let statements: [TransferStatement]

  /// Plans the transfer; nil if there is no history, or it would not stay correct.
  init?(_ planner: TransferPlanner, from old: SchemaCatalog, to new: SchemaCatalog) {
    let names = [StoredName.changes, StoredName.transactions, StoredName.transactionStrings]
    guard Self.positionsStay(planner) else { return nil }
    var statements: [TransferStatement] = []
    for name in names {
      guard let source = old.table(name), let target = new.table(name),
        source.rowIDAlias != nil,
        source.columns.allSatisfy({ target.column($0.name) != nil && !$0.isGenerated })
      else { return nil }
      statements.append(Self.statement(source, planner))
    }
    self.statements = statements
  }

  private static func positionsStay(_ planner: TransferPlanner) -> Bool {
    for entity in planner.mapping.entities where entity.kind == .transformed {
      for property in entity.properties {
        guard !property.isAdded, !property.isRemoved else { return false }
        let isSame = property.changes.allSatisfy { change in
          switch change {
          case .renamed, .moved, .madeToMany, .madeToOne, .madeOrdered, .madeUnordered: false
          default: true
          }
        }
        guard isSame else { return false }
      }
      guard
        positionalParts(of: entity.sourceName ?? "", planner.mapping.source)
          == positionalParts(of: entity.destinationName ?? "", planner.mapping.destination)
      else { return false }
    }
    return planner.mapping.entities.allSatisfy { entity in
      guard let old = entity.sourceName, let new = entity.destinationName else { return true }
      return entityColumns(of: old, planner.mapping.source)
        == entityColumns(of: new, planner.mapping.destination)
    }
  }

  /// The properties that affect the values kept by a deletion, by level of the hierarchy.
  private static func positionalParts(of entity: Name, _ model: ManagedObjectModel) -> [[String]] {
    model.lineage(of: entity).map { level in
      level.attributes.map { "\($0.name) \($0.preservesValueInHistoryOnDeletion)" }
    }
  }

  /// The to-one relationships that have a column for the entity of their destination.
  private static func entityColumns(of entity: Name, _ model: ManagedObjectModel) -> Set<Name> {
    Set(
      model.allRelationships(of: entity)
        .filter { !$0.isToMany && !model.subentityNames(of: $0.destinationName).isEmpty }
        .map(\.name))
  }

  private static func statement(
    _ table: SchemaTable, _ planner: TransferPlanner
  ) -> TransferStatement {
    var builder = SelectionBuilder()
    let members = planner.members(of: planner.mapping.destination.entities.map(\.name))
    let key = table.rowIDAlias ?? StoredName.primaryKey
    builder.add(key, .sql("t.\(quotedIdentifier(key))"))
    var condition = "1"
    for column in table.columns where SchemaName(column.name) != SchemaName(key) {
      guard SchemaName(column.name) == SchemaName(StoredName.changedEntity),
        SchemaName(table.name) == SchemaName(StoredName.changes)
      else {
        builder.add(
          column.name,
          .column(column.name, marker: .unchanged, mayBeLarge: true, mayBeExternal: false))
        continue
      }
      let number = "t.\(quotedIdentifier(column.name))"
      builder.add(column.name, .sql(TransferPlanner.renumbering(number, members)))
      condition = "\(number) IN (\(TransferPlanner.list(members.map(\.oldNumber))))"
    }
    return builder.statement(
      table: table.name, from: table.name, where: condition, content: .history)
  }
}
