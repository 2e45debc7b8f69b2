internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import TestSupport

/// Lends a copy of a real store, opened together with its `-wal`.
func withCopy<T>(of store: RealStore, _ body: (SQLiteDatabase) throws -> T) throws -> T {
  let folder = try TemporaryDirectory()
  let path = try RealStores.copy(store, to: folder)
  let connection = try SQLiteConnection(path: path, access: .writing)
  let result = try connection.use(body)
  try connection.close()
  return result
}

/// Lends a database in memory with that schema.
func withDatabase<T>(_ statements: [String], _ body: (SQLiteDatabase) throws -> T) throws -> T {
  let connection = try SQLiteConnection(path: ":memory:", access: .writing)
  let result = try connection.use { database in
    for statement in statements { try database.run(statement) }
    return try body(database)
  }
  try connection.close()
  return result
}

/// The model that a store caches, or nil when it has none.
func cachedModel(_ database: SQLiteDatabase, _ catalog: SchemaCatalog) throws
  -> ManagedObjectModel?
{
  guard catalog.table("Z_MODELCACHE") != nil,
    let blob = try database.value("SELECT Z_CONTENT FROM Z_MODELCACHE")?.blob
  else { return nil }
  return try ModelCacheReader.read(compressed: blob)
}

/// Names the parts of a schema that a layout explains not at all or more than once.
func unaccounted(_ layout: StoreLayout, _ catalog: SchemaCatalog) -> [String] {
  var tables: [String: Int] = [:]
  var wrong: [String] = []
  for table in layout.entityTables {
    tables[table.tableName, default: 0] += 1
    let real = catalog.table(table.tableName)?.columns.map(\.name) ?? []
    let all = table.columns.map(\.storedName) + table.generatedColumns
    if all.sorted() != real.sorted() { wrong.append("columns of \(table.tableName)") }
    let roles = table.columns.map(\.role).filter { $0 != .plain }
    if Set(roles).count != roles.count { wrong.append("roles of \(table.tableName)") }
  }
  for table in layout.joinTables {
    tables[table.tableName, default: 0] += 1
    let known = [
      table.sourceColumn, table.destinationColumn, table.orderColumn, table.inverseOrderColumn,
    ]
    let all = known.compactMap(\.self) + table.unknownColumns
    let real = catalog.table(table.tableName)?.columns.map(\.name) ?? []
    if all.sorted() != real.sorted() { wrong.append("columns of \(table.tableName)") }
  }
  for table in layout.otherTables { tables[table.name, default: 0] += 1 }
  for table in catalog.tables where tables.removeValue(forKey: table.name) != 1 {
    wrong.append("table \(table.name)")
  }
  return wrong + tables.keys.map { "no table \($0)" }
}

/// The tables and columns that a layout does not explain.
func unknownParts(_ layout: StoreLayout) -> [String] {
  layout.otherTables.filter { table in
    [.unknown, .system].contains(table.kind) && table.form == .ordinary && !table.isInternal
  }.map(\.name)
    + layout.entityTables.flatMap { table in
      table.unexplainedColumns.map { "\(table.tableName).\($0)" }
    }
    + layout.joinTables.flatMap { table in
      table.unknownColumns.map { "\(table.tableName).\($0)" }
    }
}

/// A store made by hand: its layout, and the catalog of its schema.
struct HandMadeStore {
  var layout: StoreLayout
  var catalog: SchemaCatalog

  /// Makes a store with the tables that those statements create, for a model of those entities.
  ///
  /// Without rows of Z_PRIMARYKEY, the entities have the numbers that the rule gives.
  init(
    _ entities: [EntityDescription], _ tables: [String], rows: [EntityRegistry.Row]? = nil
  ) throws {
    let model = ManagedObjectModel(entities: entities, source: .file)
    let numbers = EntityNumbering.computedNumbers(of: model)
    let registry = EntityRegistry(
      rows: rows ?? numbers.map { EntityRegistry.Row(number: $0.value, name: $0.key) })
    let catalog = try withDatabase(tables) { try SchemaCatalog($0) }
    layout = StoreLayout(model: model, registry: registry, catalog: catalog)
    self.catalog = catalog
  }

  /// The columns of the layout, as `kind entity property column`.
  var columns: Set<String> { LayoutOracle.columns(of: layout) }
  /// The join tables of the layout, as `table entity relationship column`.
  var joins: Set<String> { LayoutOracle.joins(of: layout) }
  /// What is not accounted for once; always to be empty.
  var unaccounted: [String] { CoreDataStoreTests.unaccounted(layout, catalog) }
  /// The tables and columns without explanation.
  var unknown: [String] { unknownParts(layout) }
  /// What is missing, as `kind entity property name`.
  var missing: [String] {
    layout.missing.map { "\($0.kind) \($0.entity) \($0.property ?? "-") \($0.expectedName)" }
  }
}

/// The text of a table of objects with those columns, separated by commas.
func entityTable(_ name: String, _ columns: String = "") -> String {
  "CREATE TABLE \(name) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    + (columns.isEmpty ? " )" : ", \(columns) )")
}

/// A relationship that is to-many.
func toMany(
  _ name: Name, _ destination: Name, inverse: Name? = nil, isOrdered: Bool = false
) -> RelationshipDescription {
  RelationshipDescription(
    name: name, destinationName: destination, inverseName: inverse, maxCount: 0,
    isOrdered: isOrdered)
}

/// A relationship that is to-one.
func toOne(
  _ name: Name, _ destination: Name, inverse: Name? = nil, isOptional: Bool = true
) -> RelationshipDescription {
  RelationshipDescription(
    name: name, destinationName: destination, inverseName: inverse, isOptional: isOptional)
}

/// An attribute of text.
func text(_ name: Name) -> AttributeDescription {
  AttributeDescription(name: name, type: .string)
}
