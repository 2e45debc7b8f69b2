internal import CofferCore
internal import CoreDataModel

/// Joins sorted changes with their transactions, and passes on what is wanted.
struct HistoryMerge<Source: RowSource> {
  /// The numbers of transactions and changes that were passed on.
  private(set) var counts = (transactions: 0, changes: 0)

  private let query: HistoryQuery
  private let transactions: TransactionRows<Source>
  private let found: (HistoryEntry) throws -> Void
  /// The next transaction, which no change was found of yet.
  private var next: HistoryTransaction?
  /// The transaction of the latest change, and whether it is wanted.
  private var current: (number: Int64, isWanted: Bool)?
  /// The object of the change whose other record comes next.
  private var object: Int64?

  /// Reads the first transaction.
  init(
    _ query: HistoryQuery, _ transactions: TransactionRows<Source>,
    _ found: @escaping (HistoryEntry) throws -> Void
  ) throws {
    (self.query, self.transactions, self.found) = (query, transactions, found)
    next = try transactions.next()
  }

  /// Takes the next record of a change.
  mutating func take(
    _ record: SortRecord, _ names: [Int64: String], _ properties: ChangedProperties
  ) throws {
    guard let key = object else {
      object = record.second
      return
    }
    object = nil
    guard let details = ChangeDetails(record.second),
      let name = names[details.entity]
    else { return }
    if current?.number != record.key { try begin(record.key) }
    guard current?.isWanted == true else { return }
    counts.changes += 1
    try found(
      .change(
        HistoryChange(
          transaction: record.key, kind: details.kind.shown,
          objectID: ManagedObjectID(entityName: name, primaryKey: key),
          propertyNames: properties.names(Int(details.mask)))))
  }

  /// Passes on the transactions after the last change.
  mutating func finish() throws { try pass(before: nil) }

  private mutating func begin(_ number: Int64) throws {
    try pass(before: number)
    var transaction = HistoryTransaction(number: number)
    if let next, next.number == number {
      transaction = next
      self.next = try transactions.next()
    } else {
      transaction.isRecorded = false
    }
    current = (number, try pass(transaction))
  }

  /// Passes on the transactions without changes, up to one with changes.
  private mutating func pass(before number: Int64?) throws {
    while let transaction = next, number.map({ transaction.number < $0 }) ?? true {
      if query.entityName == nil { try pass(transaction) }
      next = try transactions.next()
    }
  }

  /// Passes on a transaction if it is wanted.
  @discardableResult
  private mutating func pass(_ transaction: HistoryTransaction) throws -> Bool {
    if let author = query.author, !transaction.author.hasSameBytes(as: author) { return false }
    if let since = query.since {
      guard let time = transaction.timestamp, time >= since.secondsSince2001 else { return false }
    }
    counts.transactions += 1
    try found(.transaction(transaction))
    return true
  }
}

extension RecordedChange {
  fileprivate var shown: HistoryChange.Kind {
    switch self {
    case .insertion: .inserted
    case .update: .updated
    case .deletion: .deleted
    }
  }
}
