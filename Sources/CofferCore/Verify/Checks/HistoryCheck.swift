internal import CoreDataLayout
internal import CoreDataModel
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
  private var numbers: [HistoryNumberVisitor] = []
  private var masks: [ChangeMaskVisitor] = []

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
    var visitors: [any RowVisitor] = []
    if let visitor = HistoryNumberVisitor(table) {
      visitors.append(visitor)
      numbers.append(visitor)
    }
    if let columns = ChangeColumns(table.shape) {
      visitors.append(ChangeVisitor(columns, topic: changeTopic, context))
      if let visitor = ChangeMaskVisitor(table, columns, context) {
        visitors.append(visitor)
        masks.append(visitor)
      }
    } else if table.shape.storedName == StoredName.transactions {
      visitors.append(TransactionVisitor(table, topic: textTopic, context))
    }
    return VisitorGroup(visitors)
  }

  func rowsDone() { changes.setLimits() }

  func finish() throws {
    for visitor in numbers { try visitor.report(to: context) }
    for visitor in masks { try visitor.report(to: context) }
  }
}
