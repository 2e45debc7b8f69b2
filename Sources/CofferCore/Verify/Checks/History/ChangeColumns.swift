package import CoreDataLayout
internal import CoreDataStore

/// The columns of the table of changes in the persistent history.
///
/// Source: store-format, section 7.
package struct ChangeColumns {
  /// The kind of change: a ``RecordedChange``.
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

/// The kind of a change in the persistent history, by Core Data's number.
package enum RecordedChange: Int64 {
  case insertion = 0
  case update = 1
  case deletion = 2
}

extension ChangeColumns {
  /// The visitor that checks changes, and records each under a topic of ``ChangeRecords``.
  func visitor(topic: UInt32, _ context: VerificationContext) -> RowVisitor {
    RowVisitor { row in
      guard let number = row.primaryKey else { return }
      let entityNumber = row.integer(self.entity)
      let entity = entityNumber.map(context.entities.index(of:)) ?? EntityIndices.unknown
      let object = row.integer(self.object) ?? ChangeRecords.none
      if entity == EntityIndices.unknown, (entityNumber ?? 0) < EntityRegistry.firstSystemNumber {
        let text = entityNumber.map { "of entity number \($0)" } ?? "of no entity"
        try context.report(.changeOfUnknownEntity, detail: "change \(number), \(text)")
      }
      let type = row.integer(self.type).flatMap(RecordedChange.init(rawValue:))
      if type == nil || object < 1 {
        let text = type == nil ? "of an unknown kind" : "of no object"
        try context.report(
          ChangeRecords.finding(
            .invalidChange, change: number, entity: entity, object: object, detail: text, context))
      }
      try context.sorter.append(
        SortRecord(
          topic: topic, rank: UInt32(entity),
          key: row.integer(transaction) ?? ChangeRecords.none, first: object,
          second: number))
    }
  }
}
