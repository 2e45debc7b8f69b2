internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks the version counter of each object, and compares it with the persistent history.
///
/// Source: store-format, end of section 7. A counter above the recorded number is normal, because
/// batch updates and deferred counters are not recorded.
final class VersionCheck: RunCheck, Check {
  static let name = CheckName.versions
  /// The topic of each entity's table, by entity index; nil if there is none.
  private var topics: [UInt32?] = []

  func prepare() {
    guard context.tables.contains(where: { ChangeColumns($0.shape) != nil }) else { return }
    var topicsOfTables: [Int: UInt32] = [:]
    for table in context.tables where table.shape.kind == .entity {
      topicsOfTables[table.index] = context.topic(RecordedObjects(table, context))
    }
    topics = (0..<context.entities.count).map { index in
      context.entities.name(UInt16(clamping: index)).flatMap(context.table(ofEntity:))
        .flatMap { topicsOfTables[$0.index] }
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    switch table.shape.kind {
    case .entity: return objectVisitor(of: table)
    case .history:
      let rows = HistoryVersions(table, topics: topics, context)
      return RowVisitor(tableDone: rows.tableDone, visit: rows.visit)
    default: return nil
    }
  }

  /// Checks the version counter of every object; nil if the table has none.
  private func objectVisitor(of table: VerifiedTable) -> RowVisitor? {
    guard let column = table.versionColumn else { return nil }
    return RowVisitor { [context] row in
      if let version = row.integer(column), version > 0 { return }
      var detail = row.isNull(column) ? "there is none" : "it is not an integer"
      if let version = row.integer(column) { detail = "it is \(version)" }
      try context.report(
        .invalidVersion, entityName: table.shape.entityName,
        objectID: context.objectID(row, in: table), detail: detail)
    }
  }
}

/// Counts the rows of a history table that have a version counter, and records the changes of
/// objects.
final class HistoryVersions {
  private let table: VerifiedTable
  private let changes: ChangeColumns?
  /// The topic of each entity's table, by entity index; nil if there is none.
  private let topics: [UInt32?]
  private let context: VerificationContext
  private var setVersions = 0

  init(_ table: VerifiedTable, topics: [UInt32?], _ context: VerificationContext) {
    self.table = table
    self.topics = topics
    self.context = context
    changes = ChangeColumns(table.shape)
  }

  func visit(_ row: Row) throws {
    if let column = table.versionColumn, !row.isNull(column) { setVersions &+= 1 }
    guard let changes, let number = row.primaryKey, let entity = row.integer(changes.entity),
      let object = row.integer(changes.object), let type = row.integer(changes.type)
    else { return }
    let index = Int(context.entities.index(of: entity))
    guard index < topics.count, let topic = topics[index] else { return }
    try context.sorter.append(
      SortRecord(topic: topic, rank: 0, key: object, first: number, second: type))
  }

  func tableDone() throws {
    guard setVersions > 0 else { return }
    let rows =
      switch table.shape.storedName {
      case StoredName.changes: "changes"
      case StoredName.transactions: "transactions"
      case StoredName.transactionStrings: "texts of transactions"
      default: "rows"
      }
    try context.report(.historyVersionSet, detail: "\(rows): \(setVersions)")
  }
}

/// Compares the objects of one table with their records in the persistent history.
///
/// The changes of an object come together, in the order of their own keys. Primary keys are never
/// reused, so all changes of a key belong to one object.
final class RecordedObjects: RecordConsumer {
  private let table: VerifiedTable
  private let context: VerificationContext
  private var object: Int64?
  private var isInserted = false
  private var isDeleted = false
  private var updates = 0
  private var deletion: Int64 = 0

  init(_ table: VerifiedTable, _ context: VerificationContext) {
    self.table = table
    self.context = context
  }

  func take(_ record: SortRecord) throws {
    if record.key != object {
      try compare()
      (object, isInserted, isDeleted, updates) = (record.key, false, false, 0)
    }
    switch RecordedChange(rawValue: record.second) {
    case .insertion: (isInserted, isDeleted, updates) = (true, false, 0)
    case .update: (isDeleted, updates) = (false, updates &+ 1)
    case .deletion: (isInserted, isDeleted, deletion) = (false, true, record.first)
    case nil: break
    }
  }

  func topicDone() throws { try compare() }

  private func compare() throws {
    // A valid counter is at least 1, so an insertion alone proves nothing.
    guard let object, isDeleted || (isInserted && updates > 0),
      // An object that is not verified counts for nothing.
      let entry = try context.keys(of: table)?.findAppended(object)
    else { return }
    let name = context.entities.name(entry.entity) ?? table.shape.entityName ?? ""
    let objectID = ManagedObjectID(entityName: name, primaryKey: object)
    if isDeleted {
      try context.report(.deletedObjectPresent, objectID: objectID, detail: "change \(deletion)")
    } else if entry.version > 0, Int(entry.version) <= updates {
      let count = updates == 1 ? "one update" : "\(updates) updates"
      try context.report(
        .versionBehindHistory, objectID: objectID,
        detail: "it is \(entry.version), after an insertion and \(count)")
    }
  }
}
