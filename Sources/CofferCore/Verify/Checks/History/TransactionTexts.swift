internal import CoreDataStore

/// Checks that the strings of transactions exist.
///
/// Each missing one is reported once for each kind of use.
///
/// The key of a record is the string, its rank the position in `StoredName.transactionTexts`,
/// followed by the first transaction of a run and the number of transactions.
final class TransactionTexts: RecordConsumer {
  /// Represents a reference that is not an integer.
  static let none = Int64.min

  private let context: VerificationContext
  private let strings: VerifiedTable?
  private var current: SortRecord?

  /// Creates the consumer for a run.
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
