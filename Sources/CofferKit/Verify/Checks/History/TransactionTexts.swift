internal import CoreDataStore

/// Looks for the texts that transactions refer to; each missing one is reported once for each use
/// that is made of it.
///
/// The key of a record is the text, its rank the position in `StoredName.transactionTexts`, then come
/// the first transaction of a run and how many there are.
final class TransactionTexts: RecordConsumer {
  /// Stands for a reference that is not an integer.
  static let none = Int64.min

  private let context: VerificationContext
  private let strings: VerifiedTable?
  private var current: SortRecord?

  /// Takes the texts of a run.
  init(_ context: VerificationContext) {
    self.context = context
    strings = context.table(named: StoredName.transactionStrings)
  }

  func take(_ record: SortRecord) throws {
    if var run = current, run.key == record.key, run.rank == record.rank {
      run.second &+= record.second
      current = run
    } else {
      try end()
      current = record
    }
  }

  func topicDone() throws { try end() }

  private func end() throws {
    guard let run = current,
      try strings.flatMap(context.keys(of:))?.find(run.key) == nil,
      Int(run.rank) < StoredName.transactionTexts.count
    else { return }
    let text = StoredName.transactionTexts[Int(run.rank)].meaning
    let others = run.second > 1 ? " and \(run.second - 1) more" : ""
    try context.report(
      Finding(.danglingHistoryString, detail: "the \(text) of transaction \(run.first)\(others)"))
  }
}
