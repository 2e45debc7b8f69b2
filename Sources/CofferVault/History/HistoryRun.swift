internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// Reads a persistent history once: its changes sorted by transaction, and the transactions.
struct HistoryRun: SourceUse {
  let options: HistoryOptions
  let found: (HistoryEntry) throws -> Void

  func use(_ source: some RowSource) throws -> HistorySummary {
    var summary = HistorySummary()
    let wanted = try entities(in: source)
    guard let transactions = try TransactionRows(source) else { return summary }
    summary.isKept = true
    let sorter = RecordSorter(temporaryFolder: options.environment.temporaryFolder)
    var properties = try ChangedProperties(source)
    let records = HistoryRecords(source, wanted, key: options.primaryKey)
    summary.unreadableCount = try records.append(to: sorter, &properties)
    try source.requireUnchanged()
    var merge = try HistoryMerge(options, transactions, found)
    try sorter.forEach { record in
      try merge.take(record, records.entityNames, properties)
    }
    try merge.finish()
    (summary.transactionCount, summary.changeCount) = merge.counts
    try source.requireUnchanged()
    return summary
  }

  /// The numbers of the selected entities; nil for all.
  private func entities(in source: some RowSource) throws -> Set<Int64>? {
    guard let name = options.entityName else { return nil }
    guard source.model[name] != nil else {
      throw CofferError(
        .noSuchEntity, path: source.path, detail: name.text,
        advice: .chooseEntity(source.model.entities.map(\.name)))
    }
    return Set(source.model.tree(of: name).compactMap { source.entities.numbers[$0.name] })
  }
}

/// The changes of a history as records to sort, two of each: the object first, then all else.
///
/// The key of a record is the transaction, followed by twice the number of the change, and one more for the
/// second record.
struct HistoryRecords<Source: RowSource> {
  let entityNames: [Int64: Name]
  private let source: Source
  private let wanted: Set<Int64>?
  private let primaryKey: Int64?

  /// Nil entities and a nil key are all.
  init(_ source: Source, _ wanted: Set<Int64>?, key: Int64?) {
    (self.source, self.wanted, primaryKey) = (source, wanted, key)
    entityNames = source.entities.names
  }

  /// Records all selected changes; returns the number of unreadable rows.
  func append(to sorter: RecordSorter, _ properties: inout ChangedProperties) throws -> Int {
    guard let shape = source.historyTable(StoredName.changes), let columns = ChangeColumns(shape),
      let number = shape.column(StoredName.primaryKey)
    else { return 0 }
    let mask = shape.column(StoredName.changedProperties)
    var unreadable = 0
    try source.visitRows(of: shape) { rows in
      let row = rows.row
      guard let change = row.integer(number), let object = row.integer(columns.object),
        let transaction = row.integer(columns.transaction),
        let kind = row.integer(columns.type).flatMap(RecordedChange.init(rawValue:)),
        let entity = row.integer(columns.entity), (0..<1 << 27).contains(entity),
        let name = entityNames[entity], (-1 << 61..<1 << 61).contains(change)
      else {
        unreadable += 1
        return true
      }
      guard wanted?.contains(entity) ?? true, primaryKey ?? object == object else { return true }
      let bytes = kind == .update ? mask.flatMap { row.blob($0) } : nil
      let details = ChangeDetails(
        entity, kind,
        mask: Int32(clamping: properties.number(of: bytes, entity: entity, name: name)))
      for (first, second) in [(2 * change, object), (2 * change + 1, details.packed)] {
        try sorter.append(
          SortRecord(topic: 0, rank: 0, key: transaction, first: first, second: second))
      }
      return true
    }
    return unreadable
  }
}

extension Row {
  /// The bytes of a blob; nil for other values.
  fileprivate func blob(_ column: Int) -> [UInt8]? {
    guard case .blob(let bytes) = value(column) else { return nil }
    return bytes
  }
}

/// Joins sorted changes with their transactions, and passes on the selected ones.
struct HistoryMerge<Source: RowSource> {
  /// The numbers of transactions and changes that were passed on.
  private(set) var counts = (transactions: 0, changes: 0)

  private let options: HistoryOptions
  private let transactions: TransactionRows<Source>
  private let found: (HistoryEntry) throws -> Void
  /// The next transaction, without its changes.
  private var next: HistoryTransaction?
  /// The transaction of the latest change, and whether it is selected.
  private var current: (number: Int64, isWanted: Bool)?
  /// The object of the change whose other record comes next.
  private var object: Int64?

  /// Reads the first transaction.
  init(
    _ options: HistoryOptions, _ transactions: TransactionRows<Source>,
    _ found: @escaping (HistoryEntry) throws -> Void
  ) throws {
    (self.options, self.transactions, self.found) = (options, transactions, found)
    next = try transactions.next()
  }

  mutating func take(
    _ record: SortRecord, _ names: [Int64: Name], _ properties: ChangedProperties
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
      if options.entityName == nil { try pass(transaction) }
      next = try transactions.next()
    }
  }

  /// Passes on a selected transaction.
  @discardableResult
  private mutating func pass(_ transaction: HistoryTransaction) throws -> Bool {
    if let author = options.author, transaction.author.map({ Name($0) }) != Name(author) {
      return false
    }
    if let since = options.since {
      guard let time = transaction.timestamp, time >= since.timeIntervalSinceReferenceDate else {
        return false
      }
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

/// The details of a change without its object and its transaction, in one number.
struct ChangeDetails {
  /// The distances of the entity's number and of the kind from the end, where the number of the mask is.
  private static let (entityShift, kindShift) = (Int64(36), Int64(32))

  /// The number of the entity, below 2 to the power of 27.
  let entity: Int64
  let kind: RecordedChange
  /// The number of the mask in ``ChangedProperties``; negative if its properties are not known.
  let mask: Int32

  init(_ entity: Int64, _ kind: RecordedChange, mask: Int32) {
    (self.entity, self.kind, self.mask) = (entity, kind, mask)
  }

  /// Splits a number; nil for any other.
  init?(_ packed: Int64) {
    guard let kind = RecordedChange(rawValue: packed >> Self.kindShift & 0xf) else { return nil }
    self.kind = kind
    entity = packed >> Self.entityShift
    mask = Int32(truncatingIfNeeded: packed)
  }

  var packed: Int64 {
    entity << Self.entityShift | kind.rawValue << Self.kindShift | Int64(UInt32(bitPattern: mask))
  }
}
