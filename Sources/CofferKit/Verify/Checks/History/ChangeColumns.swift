internal import CoreDataLayout
internal import CoreDataStore

/// The columns of the table of changes in the persistent history.
///
/// Source: store-format, section 7.
struct ChangeColumns {
  /// What happened: a ``RecordedChange``.
  let type: Int
  /// The number of the object's concrete entity.
  let entity: Int
  /// The object's primary key.
  let object: Int
  /// The primary key of the transaction.
  let transaction: Int

  /// Finds the columns; nil for other tables, and for a table that lacks a column.
  init?(_ table: VerifiedTable) {
    guard table.shape.kind == .history, table.shape.storedName == StoredName.changes,
      table.primaryKeyColumn != nil,
      let type = table.column(named: StoredName.changeType),
      let entity = table.column(named: StoredName.changedEntity),
      let object = table.column(named: StoredName.changedKey),
      let transaction = table.column(named: StoredName.changeTransaction)
    else { return nil }
    self.type = type
    self.entity = entity
    self.object = object
    self.transaction = transaction
  }
}
