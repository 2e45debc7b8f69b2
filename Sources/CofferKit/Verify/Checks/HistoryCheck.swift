internal import CoreDataLayout
internal import CoreDataStore

/// Checks the persistent history: changes, their transactions, and the strings of the transactions.
///
/// Skips stores without history, and columns that older frameworks lack.
final class HistoryCheck: Check {
  static let name = CheckName.history
  private let context: VerificationContext
  private let changes: ChangeRecords
  private let texts: TransactionTexts
  private var changeTopic: UInt32 = 0
  private var textTopic: UInt32 = 0

  init(_ context: VerificationContext) {
    self.context = context
    changes = ChangeRecords(context)
    texts = TransactionTexts(context)
  }

  func prepare() {
    changeTopic = context.topic(changes)
    textTopic = context.topic(texts)
  }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    guard table.shape.kind == .history else { return nil }
    if let columns = ChangeColumns(table.shape) {
      return ChangeVisitor(columns, topic: changeTopic, context)
    }
    if table.shape.storedName == StoredName.transactions {
      return TransactionVisitor(table, topic: textTopic, context)
    }
    return nil
  }

  func rowsDone() { changes.setLimits() }
}
