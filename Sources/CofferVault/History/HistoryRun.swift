internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Reads a persistent history once: its changes sorted by transaction, beside the transactions.
struct HistoryRun: SourceUse {
  let query: HistoryQuery
  /// Where changes that do not fit into memory go; nil for the system's folder.
  let temporaryFolder: String?
  let found: (HistoryEntry) throws -> Void

  func use(_ source: some RowSource) throws -> HistorySummary {
    var summary = HistorySummary()
    let wanted = try entities(in: source)
    guard let transactions = try TransactionRows(source) else { return summary }
    summary.isKept = true
    let sorter = RecordSorter(temporaryFolder: temporaryFolder)
    var properties = try ChangedProperties(source)
    let records = HistoryRecords(source, wanted, key: query.primaryKey)
    summary.unreadableCount = try records.append(to: sorter, &properties)
    try source.requireUnchanged()
    var merge = try HistoryMerge(query, transactions, found)
    try sorter.forEach { record in
      try merge.take(record, records.entityNames, properties)
    }
    try merge.finish()
    (summary.transactionCount, summary.changeCount) = merge.counts
    try source.requireUnchanged()
    return summary
  }

  /// The numbers of the entities whose objects are wanted; nil for all.
  private func entities(in source: some RowSource) throws -> Set<Int64>? {
    guard let name = query.entityName else { return nil }
    guard source.model[name] != nil else {
      throw CofferError(
        .noSuchEntity, path: source.path, detail: name,
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
  let entityNames: [Int64: String]
  private let source: Source
  private let wanted: Set<Int64>?
  private let primaryKey: Int64?

  /// - Parameters:
  ///   - source: the store or archive.
  ///   - wanted: the numbers of the entities whose objects are wanted; nil for all.
  ///   - key: the primary key of the objects; nil for all.
  init(_ source: Source, _ wanted: Set<Int64>?, key: Int64?) {
    (self.source, self.wanted, primaryKey) = (source, wanted, key)
    entityNames = source.entities.names
  }

  /// Records all changes that are wanted.
  ///
  /// - Returns: how many cannot be read.
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
