internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Looks for the transaction of each change, and whether its object can ever have been there.
///
/// The key of a record is the transaction, its rank the index of the entity, then come the primary
/// key of the object and the change's own.
final class ChangeRecords: RecordConsumer {
  /// Stands for a key that is not an integer.
  static let none = Int64.min

  private let context: VerificationContext
  private let transactions: VerifiedTable?
  /// By entity index: the highest primary key that was ever handed out; nil where that is unknown.
  private var limits: [Int64?] = []
  private var transaction: Int64?
  private var isThere = false

  /// Takes the changes of a run.
  init(_ context: VerificationContext) {
    self.context = context
    transactions = context.table(named: StoredName.transactions)
  }

  /// Finds out, once all rows were seen, how far the primary keys of each entity go: as far as the
  /// counter, or as far as the objects do where that lags behind, which is a finding of its own.
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

  /// A finding of a change, named by the object that it is of.
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
