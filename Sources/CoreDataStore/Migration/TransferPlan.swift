package import CoreDataModel

/// Everything that turns the rows of one store into those of another, by a mapping between their
/// models.
///
/// A pure value: what to read and where to write it. Primary keys and version counters stay the
/// same; entity numbers become those of the new store everywhere. Source for the meaning of
/// columns: store-format, section 5.
package struct TransferPlan: Sendable {
  /// The tables, those of objects before those of pairs.
  package private(set) var statements: [TransferStatement] = []
  /// The counts to check in the old store first.
  package private(set) var checks: [TransferCheck] = []
  /// The problems that exist whatever the rows are.
  package private(set) var problems: [MappingProblem] = []
  /// The entities whose objects are dropped, with statements that count them.
  package private(set) var droppedEntities: [(name: String, sql: String)] = []
  /// The properties of entities that stay which the new model lacks, with statements that count what they
  /// have.
  package private(set) var droppedProperties: [DroppedProperty] = []
  /// The relationships whose references might not all arrive, with statements that count them.
  package private(set) var countedReferences: [CountedReferences] = []
  /// The orders that the new model lacks, with statements that count their references.
  package private(set) var droppedOrders: [DroppedOrder] = []
  /// Whether the persistent history is carried over; its tables are the last.
  package private(set) var keepsHistory = false
  /// The counters of primary keys of the framework's own entities, if the history is carried over.
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
