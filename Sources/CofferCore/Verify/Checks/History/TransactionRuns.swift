internal import CoreDataStore

/// Checks the transactions of the persistent history.
///
/// Consecutive transactions nearly always refer to the same strings, so each run of them is one
/// record.
final class TransactionRuns {
  /// Consecutive transactions that refer to the same string.
  private struct Run {
    let column: Int
    var text: Int64 = 0
    var first: Int64 = 0
    var count: Int64 = 0
  }

  private let topic: UInt32
  private let context: VerificationContext
  private let timeColumn: Int?
  /// The runs in the order of `StoredName.transactionTexts`; nil if the store lacks the column.
  private var runs: [Run?]
  private var lastTime: Double?

  /// Checks transactions, and records their strings under a topic of ``TransactionTexts``.
  init(_ table: VerifiedTable, topic: UInt32, _ context: VerificationContext) {
    self.topic = topic
    self.context = context
    timeColumn = table.column(named: StoredName.transactionTime)
    runs = StoredName.transactionTexts.map { text in
      table.column(named: text.column).map { Run(column: $0) }
    }
  }

  func visit(_ row: Row) throws {
    guard let number = row.primaryKey else { return }
    for index in runs.indices {
      guard let run = runs[index], !row.isNull(run.column) else { continue }
      let text = row.integer(run.column) ?? TransactionTexts.none
      if run.count > 0, text == run.text {
        runs[index]?.count &+= 1
      } else {
        try end(index)
        runs[index] = Run(column: run.column, text: text, first: number, count: 1)
      }
    }
    guard let timeColumn else { return }
    guard let time = row.number(timeColumn), time.isFinite else {
      return try context.report(.invalidTransactionTime, detail: "transaction \(number)")
    }
    if let lastTime, time < lastTime {
      try context.report(.historyOutOfOrder, detail: "transaction \(number)")
    }
    lastTime = time
  }

  func tableDone() throws {
    for index in runs.indices { try end(index) }
  }

  private func end(_ index: Int) throws {
    guard let run = runs[index], run.count > 0 else { return }
    try context.sorter.append(
      SortRecord(
        topic: topic, rank: UInt32(clamping: index), key: run.text, first: run.first,
        second: run.count))
  }
}

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
      .danglingHistoryString, detail: "the \(text) of transaction \(run.first)\(others)")
  }
}
