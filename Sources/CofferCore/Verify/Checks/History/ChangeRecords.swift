internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks that the transaction of each change exists, and that its object can have existed.
///
/// The key of a record is the transaction, its rank the index of the entity, followed by the
/// primary keys of the object and the change.
final class ChangeRecords: RecordConsumer {
  /// Represents a key that is not an integer.
  static let none = Int64.min

  private let context: VerificationContext
  private let transactions: VerifiedTable?
  /// The highest primary key ever assigned, by entity index; nil if unknown.
  private var limits: [Int64?] = []
  private var transaction: Int64?
  private var isThere = false

  init(_ context: VerificationContext) {
    self.context = context
    transactions = context.table(named: StoredName.transactions)
  }

  /// Determines the highest primary key of each entity after all rows: the counter, or the highest
  /// key of the objects if the counter is lower, which is a separate finding.
  func setLimits() {
    limits = (0..<context.entities.count).map { index in
      guard let name = context.entities.name(UInt16(clamping: index)),
        let root = context.subject.model.root(of: name)?.name,
        let number = context.subject.layout.entities.numbers[root],
        let counter = context.administration.registry?.row(number)?.maximumPrimaryKey.integer
      else { return nil }
      let highest = context.table(ofEntity: name).flatMap { context.keys(of: $0)?.maximum }
      return max(counter, highest ?? 0)
    }
  }

  func take(_ record: SortRecord) throws {
    if record.key != transaction {
      transaction = record.key
      isThere = try transactions.flatMap(context.keys(of:))?.find(record.key) != nil
    }
    let entity = UInt16(clamping: record.rank)
    if !isThere {
      let text = record.key == Self.none ? "of no transaction" : "of transaction \(record.key)"
      try context.report(
        Self.finding(
          .changeWithoutTransaction, change: record.second, entity: entity, object: record.first,
          detail: text, context))
    }
    if Int(entity) < limits.count, let limit = limits[Int(entity)], record.first > limit {
      let text = "the counter is \(limit)"
      try context.report(
        Self.finding(
          .changeBeyondCounter, change: record.second, entity: entity, object: record.first,
          detail: text, context))
    }
  }

  /// A finding about a change, which names the object of the change.
  static func finding(
    _ code: FindingCode, change number: Int64, entity: UInt16, object: Int64,
    detail text: String, _ context: VerificationContext
  ) -> Finding {
    let name = context.entities.name(entity)
    let objectID = name.map { ManagedObjectID(entityName: $0, primaryKey: object) }
    return Finding(
      code, entityName: name, objectID: object == none ? nil : objectID,
      detail: "change \(number), \(text)")
  }
}
