internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Writes a plain SQLite database: a table for each root entity with the objects of all its
/// subentities, a view for each subentity, and a table for each many-to-many relationship.
///
/// Foreign keys are declared.
final class DatabaseWriter: DataWriter {
  private let database: SQLiteDatabase
  private let values: DataValues
  private let model: ManagedObjectModel
  private let entityNames: [Int64: [UInt8]]
  private let keyName: String
  private let fileName: String
  /// The names of the tables by root entity, known in advance because they are referred to.
  private var tableNames: [ExactString: String] = [:]
  private var names = DatabaseNames()
  private var insertion: RowInsertionStatement?

  init(
    _ database: SQLiteDatabase, _ values: DataValues, _ source: some RowSource,
    _ plan: DataExportPlan, fileName: String
  ) {
    self.database = database
    self.values = values
    self.fileName = fileName
    model = source.model
    entityNames = source.entities.names.mapValues { Array($0.utf8) }
    keyName = plan.keyName
    for table in plan.tables where !table.isPairs {
      tableNames[table.entityName] = names.take(table.entityName)
    }
  }

  func begin(_ table: ExportedTable) throws {
    let name = table.isPairs ? names.take(table.parts[0].name) : tableNames[table.entityName]
    let created = DatabaseTable(table, name: name ?? table.entityName)
    try database.run(created.creation(tableNames, keyName: keyName))
    try createViews(of: table, created)
    insertion = try RowInsertionStatement(
      created, table, database, entityNames: entityNames, values)
  }

  private func createViews(of table: ExportedTable, _ created: DatabaseTable) throws {
    guard !table.isPairs else { return }
    for (index, part) in table.parts.enumerated() where part.entityName != table.entityName {
      let tree = model.tree(of: part.entityName).map(\.name)
      let below = table.parts.filter { $0.isChosen && tree.contains($0.entityName) }
      guard !below.isEmpty else { continue }
      try database.run(
        created.view(
          of: index, named: names.take(part.entityName), entityNames: below.map(\.entityName)))
    }
  }

  func write(_ row: Row, part: Int) throws { try insertion?.insert(row, part) }

  func end() throws { insertion = nil }

  func fileName(part: Int) -> String { fileName }
}

/// Names of tables and views that SQLite does not reserve and does not consider equal.
private struct DatabaseNames {
  private var names = UniqueNames(.files)

  mutating func take(_ name: String) -> String {
    let isReserved = name.lowercased().hasPrefix("sqlite_")
    return names.take(isReserved ? "_\(name)" : name)
  }
}
