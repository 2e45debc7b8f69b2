internal import CoreDataLayout
package import CoreDataModel

/// Drops rows of the persistent history that refer to nothing, and corrects inconsistent values in
/// its rows.
///
/// Each function works on the whole history and returns the number of rows; 0 if the store has no
/// such history. Errors are mapped from SQLite's result code.
package struct HistoryMending {
  private let editor: ObjectEditor

  /// Works on the copy of an editor.
  package init(_ editor: ObjectEditor) { self.editor = editor }

  /// Removes changes whose transaction does not exist.
  package func removeChangesWithoutTransaction() throws(CofferError) -> Int {
    try removeChanges(
      needing: StoredName.changeTransaction, andTable: StoredName.transactions,
      where: Self.leadsNowhere(StoredName.changeTransaction, StoredName.transactions))
  }

  /// Removes changes of objects whose entity the store does not number.
  package func removeChangesOfUnknownEntities() throws(CofferError) -> Int {
    let model = editor.schema.model
    let numbers = model.entities.compactMap { editor.schema.numbering.number(of: $0.name) }
      .sorted().map { "\($0)" }.joined(separator: ", ")
    let entity = StoredName.changedEntity
    return try removeChanges(
      needing: entity, andTable: nil,
      where: "(typeof(\(entity)) <> 'integer' OR \(entity) NOT IN (\(numbers)) "
        + "AND \(entity) < \(EntityRegistry.firstSystemNumber))")
  }

  /// Removes changes without a valid type or object.
  package func removeInvalidChanges() throws(CofferError) -> Int {
    let (kind, key) = (StoredName.changeType, StoredName.changedKey)
    return try removeChanges(
      needing: kind, andTable: nil,
      where: "(typeof(\(kind)) <> 'integer' OR \(kind) NOT IN (0, 1, 2) "
        + "OR typeof(\(key)) <> 'integer' OR \(key) < 1)")
  }

  /// Unsets references of transactions to texts that do not exist.
  package func unsetMissingTexts() throws(CofferError) -> Int {
    guard let transactions = editor.store.catalog.table(StoredName.transactions) else { return 0 }
    let hasTexts = editor.store.catalog.table(StoredName.transactionStrings) != nil
    var count = 0
    for (column, _, _) in StoredName.transactionTexts
    where transactions.column(column) != nil {
      let missing = hasTexts ? Self.leadsNowhere(column, StoredName.transactionStrings) : "1"
      count += try editor.statements.run(
        "UPDATE \(StoredName.transactions) SET \(column) = NULL WHERE \(column) IS NOT NULL "
          + "AND \(missing)")
    }
    return count
  }

  /// Gives transactions without a time the time of the preceding transaction, or else of the
  /// following one.
  package func setMissingTimes() throws(CofferError) -> Int {
    let (table, time) = (StoredName.transactions, StoredName.transactionTime)
    guard editor.store.catalog.table(table)?.column(time) != nil else { return 0 }
    func isSound(_ name: String) -> String {
      "(typeof(\(name)) IN ('real', 'integer') AND abs(\(name)) < 9e999)"
    }
    func neighbour(_ comparison: String, _ order: String) -> String {
      "(SELECT t.\(time) FROM \(table) AS t WHERE t.Z_PK \(comparison) \(table).Z_PK "
        + "AND \(isSound("t.\(time)")) ORDER BY t.Z_PK \(order) LIMIT 1)"
    }
    return try editor.statements.run(
      "UPDATE \(table) SET \(time) = ifnull(\(neighbour("<", "DESC")), \(neighbour(">", "ASC"))) "
        + "WHERE NOT \(isSound(time))")
  }

  /// Gives the rows of each table the number of the entity that the table is named after.
  package func renumberRows() throws(CofferError) -> Int {
    let tables = [StoredName.changes, StoredName.transactions, StoredName.transactionStrings]
    var count = 0
    for row in editor.store.registry.systemRows {
      let name = StoredName.systemTable(ofEntity: row.name)
      guard tables.contains(name),
        editor.store.catalog.table(name)?.column(StoredName.entityNumber) != nil
      else { continue }
      count += try editor.statements.run(
        "UPDATE \(name) SET Z_ENT = ?1 WHERE Z_ENT IS NOT ?1", .integer(row.number))
    }
    return count
  }

  /// Cuts the masks of changes that name more properties than the entity has.
  package func cutMasks() throws(CofferError) -> Int {
    let (entity, mask) = (StoredName.changedEntity, StoredName.changedProperties)
    guard let changes = editor.store.catalog.table(StoredName.changes),
      changes.column(entity) != nil, changes.column(mask) != nil
    else { return 0 }
    let schema = editor.schema
    let positions = HistoryPositions(schema)
    let rows =
      "SELECT Z_PK, \(entity), \(mask) FROM \(StoredName.changes) WHERE Z_PK > ? "
      + "AND typeof(\(entity)) = 'integer' AND typeof(\(mask)) = 'blob' ORDER BY Z_PK LIMIT 1000"
    var last = SQLiteValue.integer(.min)
    var count = 0
    while case let found = try editor.statements.rows(rows, last), let end = found.last {
      last = end[0]
      for row in found {
        guard let number = row[1].integer, let bytes = row[2].blob,
          let table = schema.numbering.name(of: number).flatMap({ schema.table(of: $0) }),
          let cut = positions.cut(bytes, table: table, entity: number)
        else { continue }
        count += try editor.statements.run(
          "UPDATE \(StoredName.changes) SET \(mask) = ?2 WHERE Z_PK = ?1", row[0], .blob(cut))
      }
    }
    return count
  }

  private static func leadsNowhere(_ column: String, _ table: String) -> String {
    "(typeof(\(column)) <> 'integer' OR \(column) NOT IN (SELECT Z_PK FROM \(table)))"
  }

  private func removeChanges(
    needing column: String, andTable table: String?, where condition: String
  ) throws(CofferError) -> Int {
    let catalog = editor.store.catalog
    guard let changes = catalog.table(StoredName.changes), changes.column(column) != nil,
      changes.column(StoredName.changedKey) != nil,
      table.map({ catalog.table($0) != nil }) ?? true
    else { return 0 }
    return try editor.statements.run("DELETE FROM \(StoredName.changes) WHERE \(condition)")
  }
}

/// The places of properties in the mask of a change.
///
/// They have the order of `RecordedProperty`.
final class HistoryPositions {
  private let schema: EditedSchema
  /// The places by table and entity, for each property.
  private var known: [[Int64]: (count: Int, places: [Int64: Int])] = [:]

  init(_ schema: EditedSchema) { self.schema = schema }

  func mask(of properties: [Int64], table: Int, entity: Int64) -> [UInt8] {
    let (count, places) = places(of: table, entity)
    var mask = [UInt8](repeating: 0, count: (count + 7) / 8)
    for property in properties {
      guard let place = places[property] else { continue }
      mask[place / 8] |= 0x80 >> UInt8(place % 8)
    }
    return mask
  }

  /// A mask without the bits after the last property; nil if there are none, or the properties are
  /// not known.
  func cut(_ mask: [UInt8], table: Int, entity: Int64) -> [UInt8]? {
    let count = places(of: table, entity).count
    guard count > 0 else { return nil }
    var cut = Array(mask.prefix((count + 7) / 8))
    if cut.count * 8 > count { cut[cut.count - 1] &= ~(0xff >> UInt8(count % 8)) }
    return cut == mask ? nil : cut
  }

  private func places(of table: Int, _ entity: Int64) -> (count: Int, places: [Int64: Int]) {
    let kind = [Int64(table), entity]
    if let known = known[kind] { return known }
    let order = positions(of: table, entity)
    var places: [Int64: Int] = [:]
    for (place, property) in order.enumerated() { places[Int64(property)] = place }
    known[kind] = (order.count, places)
    return (order.count, places)
  }

  private func positions(of table: Int, _ entity: Int64) -> [Int] {
    guard let name = schema.numbering.name(of: entity) else { return [] }
    let roles = schema.tables[table].columns.map(\.role)
    return RecordedProperty.order(of: name, in: schema.model, columns: roles).compactMap {
      switch $0 {
      case .column(let column): column
      case .toMany(let reference): schema.property(reference, in: table)
      }
    }
  }
}

/// Removes objects from a private copy of a store, as if they had never existed: with all references to them,
/// and without a trace in versions and history.
package struct ForgottenObjects {
  private static let forgotten = "temp.coffer_forgotten"

  private let database: SQLiteDatabase
  private let lookup: ObjectLookup

  /// Prepares the copy: drops its unique indexes, because rows of two states may share a value.
  package init(_ database: SQLiteDatabase, of store: PersistentStore) throws(CofferError) {
    self.database = database
    lookup = ObjectLookup(database, EditedSchema(store.layout))
    for index in store.catalog.indexes
    where index.sql?.uppercased().hasPrefix("CREATE UNIQUE") == true {
      try database.run("DROP INDEX IF EXISTS \(quotedIdentifier(index.name))")
    }
    try database.run(
      "CREATE TABLE \(Self.forgotten) (t INTEGER, k INTEGER, PRIMARY KEY (t, k)) WITHOUT ROWID")
  }

  /// Adds an object, by its key and its entity or one above it.
  package func add(_ key: Int64, of entity: Name) throws(CofferError) {
    guard let table = lookup.schema.table(of: entity) else { return }
    try lookup.statements.run(
      "INSERT OR IGNORE INTO \(Self.forgotten) VALUES (?, ?)", .integer(Int64(table)),
      .integer(key))
  }

  /// Removes the added objects and all references to them.
  package func complete() throws(CofferError) {
    func keys(_ table: Int) -> String { "(SELECT k FROM \(Self.forgotten) WHERE t = \(table))" }
    for reference in lookup.schema.references {
      let columns = [reference.column, reference.entityColumn, reference.orderColumn]
        .compactMap(\.self).map { "\(lookup.name($0, of: reference.table)) = NULL" }
      try database.run(
        "UPDATE \(lookup.name(reference.table)) SET \(columns.joined(separator: ", ")) WHERE "
          + "\(lookup.name(reference.column, of: reference.table)) IN "
          + keys(reference.destinationTable))
    }
    for pairs in lookup.schema.pairs {
      let ends = pairs.ends.map { "\(quotedIdentifier($0.column)) IN \(keys($0.table))" }
      try database.run(
        "DELETE FROM \(quotedIdentifier(pairs.name)) WHERE \(ends.joined(separator: " OR "))")
    }
    for table in lookup.schema.tables.indices {
      try database.run("DELETE FROM \(lookup.name(table)) WHERE Z_PK IN \(keys(table))")
    }
  }
}
