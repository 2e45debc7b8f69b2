internal import CofferCore
internal import CoreDataStore

/// The transactions of a persistent history, in the order of their numbers.
final class TransactionRows<Source: RowSource> {
  private let rows: Source.Rows
  private let key: Int
  private let time: Int?
  /// The columns of each text of a transaction: its key among the texts, and the text itself.
  private let columns: [(key: Int?, text: Int?)]
  private let texts: [Int64: String]

  /// Begins to read; nil if the source has no transactions.
  init?(_ source: Source) throws {
    guard let shape = source.historyTable(StoredName.transactions),
      let key = shape.column(StoredName.primaryKey)
    else { return nil }
    self.key = key
    time = shape.column(StoredName.transactionTime)
    columns = StoredName.transactionTexts.map {
      (key: shape.column($0.column), text: shape.column($0.text))
    }
    texts = try Self.texts(of: source)
    rows = try source.rows(of: shape)
  }

  /// The next transaction; nil after the last one.
  func next() throws -> HistoryTransaction? {
    while try rows.next() {
      let row = rows.row
      guard let number = row.integer(key) else { continue }
      var transaction = HistoryTransaction(number: number)
      transaction.timestamp = time.flatMap { row.number($0) }
      // In the order of the names.
      transaction.author = text(0, of: row)
      transaction.bundleID = text(1, of: row)
      transaction.contextName = text(2, of: row)
      transaction.processID = text(3, of: row)
      return transaction
    }
    return nil
  }

  /// A text of a transaction: the text itself, or its key.
  private func text(_ index: Int, of row: Row) -> String? {
    let (key, text) = columns[index]
    return text.flatMap { row.value($0).string }
      ?? key.flatMap { row.integer($0) }.flatMap { texts[$0] }
  }

  /// All texts, each once.
  private static func texts(of source: Source) throws -> [Int64: String] {
    guard let shape = source.historyTable(StoredName.transactionStrings),
      let key = shape.column(StoredName.primaryKey),
      let name = shape.column(StoredName.transactionString)
    else { return [:] }
    var found: [Int64: String] = [:]
    try source.visitRows(of: shape) { rows in
      if let number = rows.row.integer(key) { found[number] = rows.row.value(name).string }
      return true
    }
    return found
  }
}
