package import CoreDataLayout
internal import CoreDataStore

/// The columns of the table of changes in the persistent history.
///
/// Source: store-format, section 7.
package struct ChangeColumns {
  /// What happened: a ``RecordedChange``.
  package let type: Int
  /// The number of the object's concrete entity.
  package let entity: Int
  /// The object's primary key.
  package let object: Int
  /// The primary key of the transaction.
  package let transaction: Int

  /// Finds the columns; nil for other tables, and for a table that lacks a column.
  package init?(_ shape: TableLayout) {
    guard shape.kind == .history, shape.storedName == StoredName.changes,
      shape.column(StoredName.primaryKey) != nil,
      let type = shape.column(StoredName.changeType),
      let entity = shape.column(StoredName.changedEntity),
      let object = shape.column(StoredName.changedKey),
      let transaction = shape.column(StoredName.changeTransaction)
    else { return nil }
    self.type = type
    self.entity = entity
    self.object = object
    self.transaction = transaction
  }
}
