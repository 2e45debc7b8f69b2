internal import CoreDataLayout
internal import CoreDataStore

/// Counts the rows of a history table that have a version counter, and records the changes of
/// objects.
final class HistoryVersionVisitor: RowVisitor {
  private let table: VerifiedTable
  private let changes: ChangeColumns?
  /// The topic of each entity's table, by entity index; nil if there is none.
  private let topics: [UInt32?]
  private let context: VerificationContext
  private var setVersions = 0

  /// Creates a visitor of a table of the persistent history.
  init(_ table: VerifiedTable, topics: [UInt32?], _ context: VerificationContext) {
    self.table = table
    self.topics = topics
    self.context = context
    changes = ChangeColumns(table.shape)
  }

  func visit(_ row: Row) throws {
    if let column = table.versionColumn, !row.isNull(column) { setVersions &+= 1 }
    guard let changes, let number = row.primaryKey, let entity = row.integer(changes.entity),
      let object = row.integer(changes.object), let type = row.integer(changes.type)
    else { return }
    let index = Int(context.entities.index(of: entity))
    guard index < topics.count, let topic = topics[index] else { return }
    try context.sorter.append(
      SortRecord(topic: topic, rank: 0, key: object, first: number, second: type))
  }

  func tableDone() throws {
    guard setVersions > 0 else { return }
    let rows =
      switch table.shape.storedName {
      case StoredName.changes: "changes"
      case StoredName.transactions: "transactions"
      case StoredName.transactionStrings: "texts of transactions"
      default: "rows"
      }
    try context.report(Finding(.historyVersionSet, detail: "\(rows): \(setVersions)"))
  }
}
