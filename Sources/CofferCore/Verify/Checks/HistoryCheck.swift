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
  private var numbers: [HistoryNumbers] = []
  private var masks: [ChangeMasks] = []

  init(_ context: VerificationContext) {
    self.context = context
    changes = ChangeRecords(context)
    texts = TransactionTexts(context)
  }

  func prepare() {
    changeTopic = context.topic(changes)
    textTopic = context.topic(texts)
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    guard table.shape.kind == .history else { return nil }
    var visitors: [RowVisitor] = []
    if let found = HistoryNumbers(table) {
      visitors.append(RowVisitor(visit: found.visit))
      numbers.append(found)
    }
    if let columns = ChangeColumns(table.shape) {
      visitors.append(columns.visitor(topic: changeTopic, context))
      if let found = ChangeMasks(table, columns, context) {
        visitors.append(RowVisitor(visit: found.visit))
        masks.append(found)
      }
    } else if table.shape.storedName == StoredName.transactions {
      let runs = TransactionRuns(table, topic: textTopic, context)
      visitors.append(RowVisitor(tableDone: runs.tableDone, visit: runs.visit))
    }
    return RowVisitor.chain(visitors[...])
  }

  func rowsDone() { changes.setLimits() }

  func finish() throws {
    for found in numbers { try found.report(to: context) }
    for found in masks { try found.report(to: context) }
  }
}

/// Compares the entity numbers in a table of the persistent history with the one that belongs to its name.
///
/// In an archive, that number is known only after all rows. So the rows of each number are counted.
final class HistoryNumbers {
  /// The maximum number of distinct numbers that are counted separately.
  private static let maxNumbers = 16

  private let tableName: String
  private let column: Int
  private var counts: [(number: Int64?, count: Int)] = []
  private var latest = 0

  /// Prepares for a table; nil if its rows have no entity numbers.
  init?(_ table: VerifiedTable) {
    guard let column = table.entityColumn else { return nil }
    self.column = column
    tableName = table.shape.storedName
  }

  func visit(_ row: Row) {
    let number = row.integer(column)
    if latest >= counts.count || counts[latest].number != number { find(number) }
    counts[latest].count &+= 1
  }

  private func find(_ number: Int64?) {
    if let known = counts.firstIndex(where: { $0.number == number }) {
      latest = known
      return
    }
    if counts.count < Self.maxNumbers { counts.append((number, 0)) }
    latest = counts.count - 1
  }

  /// Reports the rows with other numbers than the table's, once all rows were seen.
  func report(to context: VerificationContext) throws {
    let rows = context.administration.registry?.systemRows ?? []
    guard
      let own = rows.first(where: { StoredName.systemTable(ofEntity: $0.name) == tableName })
    else { return }
    for (number, count) in counts where number != own.number {
      let text = number.map { "the number \($0)" } ?? "no number"
      try context.report(
        .wrongHistoryEntity, entityName: own.name,
        detail: "\(count == 1 ? "one row" : "\(count) rows") with \(text), not \(own.number)")
    }
  }
}

/// Finds changes whose mask names more properties than their entities have.
///
/// Whether the order of the properties is known for the store's framework shows after all rows in an
/// archive. So the changes are counted for each entity.
final class ChangeMasks {
  private struct Excess {
    var count = 0
    var first: Int64 = 0
  }

  private let entityColumn: Int
  private let column: Int
  private let context: VerificationContext
  /// The number of properties by entity index; nil if it is unknown.
  private let propertyCounts: [Int?]
  private var excesses: [Excess]

  /// Prepares for the table of changes; nil if it has no masks, or the model is only inferred.
  init?(_ table: VerifiedTable, _ columns: ChangeColumns, _ context: VerificationContext) {
    guard !context.subject.modelIsInferred,
      let column = table.column(named: StoredName.changedProperties)
    else { return nil }
    self.column = column
    self.context = context
    entityColumn = columns.entity
    let model = context.subject.model
    propertyCounts = (0..<context.entities.count).map { index in
      guard let name = context.entities.name(UInt16(clamping: index)), model[name] != nil,
        let table = context.table(ofEntity: name)
      else { return nil }
      return RecordedProperty.order(of: name, in: model, columns: table.shape.fields.map(\.role))
        .count
    }
    excesses = Array(repeating: Excess(), count: context.entities.count)
  }

  func visit(_ row: Row) {
    guard case .blob = row.storageClass(column), let number = row.integer(entityColumn) else {
      return
    }
    let entity = Int(context.entities.index(of: number))
    guard entity < propertyCounts.count, let count = propertyCounts[entity] else { return }
    let length = (count + 7) / 8
    guard row.size(column) > length || row.size(column) == length && namesMore(row, than: count)
    else { return }
    if excesses[entity].count == 0 { excesses[entity].first = row.primaryKey ?? 0 }
    excesses[entity].count &+= 1
  }

  /// Whether the last byte of a mask has a bit beyond the last property's.
  private func namesMore(_ row: Row, than count: Int) -> Bool {
    guard count % 8 != 0, let mask = unsafe row.bytes(column), let last = unsafe mask.last else {
      return false
    }
    return last & 0xff >> UInt8(count % 8) != 0
  }

  /// Reports the findings, after all rows.
  func report(to context: VerificationContext) throws {
    guard let era = context.administration.metadata.first?.era, era.hasKnownProperties else {
      return
    }
    for (index, excess) in excesses.enumerated() where excess.count > 0 {
      let others = excess.count > 1 ? " and \(excess.count - 1) more" : ""
      try context.report(
        .surplusChangedProperties, entityName: context.entities.name(UInt16(clamping: index)),
        detail: "change \(excess.first)\(others)")
    }
  }
}
