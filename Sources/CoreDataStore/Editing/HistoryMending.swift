package import CoreDataModel

/// Drops what of the persistent history leads nowhere.
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
