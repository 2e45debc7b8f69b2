package import CoreDataModel

/// Drops what of the persistent history leads nowhere, and corrects what its rows say of themselves.
///
/// Each function does so for the whole history, and returns the number of rows; 0 where the store has no
/// such history. Errors are those of SQLite.
package struct HistoryMending {
  private let editor: ObjectEditor

  /// Works on the copy of an editor.
  package init(_ editor: ObjectEditor) { self.editor = editor }

  /// Removes changes whose transaction does not exist.
  package func removeChangesWithoutTransaction() throws(CofferError) -> Int {
    try removeChanges(
      needing: StoredName.changeTransaction, StoredName.transactions,
      where: Self.leadsNowhere(StoredName.changeTransaction, StoredName.transactions))
  }

  /// Removes changes of objects whose entity the store does not number.
  package func removeChangesOfUnknownEntities() throws(CofferError) -> Int {
    let model = editor.schema.model
    let numbers = model.entities.compactMap { editor.schema.numbering.number(of: $0.name) }
      .sorted().map { "\($0)" }.joined(separator: ", ")
    let entity = StoredName.changedEntity
    return try removeChanges(
      needing: entity, nil,
      where: "(typeof(\(entity)) <> 'integer' OR \(entity) NOT IN (\(numbers)) "
        + "AND \(entity) < \(EntityRegistry.firstSystemNumber))")
  }

  /// Removes changes that do not say what happened to which object.
  package func removeInvalidChanges() throws(CofferError) -> Int {
    let (kind, key) = (StoredName.changeType, StoredName.changedKey)
    return try removeChanges(
      needing: kind, nil,
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

  /// Gives transactions without a time that of the one before them, or else of the one behind them.
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
    needing column: String, _ table: String?, where condition: String
  ) throws(CofferError) -> Int {
    let catalog = editor.store.catalog
    guard let changes = catalog.table(StoredName.changes), changes.column(column) != nil,
      changes.column(StoredName.changedKey) != nil,
      table.map({ catalog.table($0) != nil }) ?? true
    else { return 0 }
    return try editor.statements.run("DELETE FROM \(StoredName.changes) WHERE \(condition)")
  }
}
