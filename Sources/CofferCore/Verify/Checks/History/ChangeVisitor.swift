internal import CoreDataModel
internal import CoreDataStore

/// Checks the changes of the persistent history.
final class ChangeVisitor: RowVisitor {
  private let columns: ChangeColumns
  private let topic: UInt32
  private let context: VerificationContext

  /// Checks changes, and records each under a topic of ``ChangeRecords``.
  init(_ columns: ChangeColumns, topic: UInt32, _ context: VerificationContext) {
    self.columns = columns
    self.topic = topic
    self.context = context
  }

  func visit(_ row: Row) throws {
    guard let number = row.primaryKey else { return }
    let entityNumber = row.integer(columns.entity)
    let entity = entityNumber.map(context.entities.index(of:)) ?? EntityIndices.unknown
    let object = row.integer(columns.object) ?? ChangeRecords.none
    if entity == EntityIndices.unknown, !isSystem(entityNumber) {
      let text = entityNumber.map { "of entity number \($0)" } ?? "of no entity"
      try context.report(Finding(.changeOfUnknownEntity, detail: "change \(number), \(text)"))
    }
    let type = row.integer(columns.type).flatMap(RecordedChange.init(rawValue:))
    if type == nil || object < 1 {
      let text = type == nil ? "of an unknown kind" : "of no object"
      try context.report(
        ChangeRecords.finding(
          .invalidChange, change: number, entity: entity, object: object, detail: text, context))
    }
    try context.sorter.append(
      SortRecord(
        topic: topic, rank: UInt32(entity),
        key: row.integer(columns.transaction) ?? ChangeRecords.none, first: object,
        second: number))
  }

  private func isSystem(_ entityNumber: Int64?) -> Bool {
    (entityNumber ?? 0) >= EntityRegistry.firstSystemNumber
  }
}
