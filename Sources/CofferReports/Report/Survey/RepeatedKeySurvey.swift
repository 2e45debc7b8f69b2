internal import CofferCore
internal import CoreDataModel

/// Finds equal values of attributes that are probably meant to identify objects.
///
/// Attributes with their own uniqueness constraint are left to the verifier.
final class RepeatedKeySurvey: SurveyPart {
  private var context: VerificationContext?
  private var keys: [Key] = []
  /// Whether all records were processed; before that, nothing is known.
  private var isComplete = false

  func begin(_ context: VerificationContext) { self.context = context }

  func prepare() {
    guard let context else { return }
    let model = context.subject.model
    for table in context.objectTables {
      for column in AttributeColumn.all(of: table, model)
      where column.enclosing.isEmpty
        && LikelyKey.isLikely(column.name, column.type, of: column.entityName)
      {
        let constraints = model.lineage(of: column.entityName).flatMap(\.uniquenessConstraints)
        guard !constraints.contains(where: { Set($0) == [column.name] }) else {
          continue
        }
        keys.append(Key(column, table, context))
      }
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    guard let context else { return nil }
    let own = keys.filter { $0.table.index == table.index }
    if own.isEmpty { return nil }
    let plans = EntityPlans(context, own.map { ($0.column.entityName, $0) })
    return RowVisitor { [sorter = context.sorter] row in
      try plans.forEachStep(of: row) { key, object in
        var hasher = TupleHasher()
        guard hasher.add(row, key.column.column) else { return }
        let (high, low) = hasher.finish()
        try sorter.append(
          SortRecord(
            topic: key.topic, rank: 0, key: Int64(bitPattern: high),
            first: Int64(bitPattern: low), second: object))
      }
    }
  }

  func finish() { isComplete = true }

  /// The attributes with repeated values, sorted by their number of objects.
  ///
  /// An attribute with less than half distinct values identifies nothing and is left out.
  var repeatedKeys: [RepeatedKey] {
    guard isComplete else { return [] }
    return keys.compactMap(\.result).sorted {
      $0.objectCount != $1.objectCount
        ? $0.objectCount > $1.objectCount
        : codeUnitsAscend("\($0.entityName).\($0.name)", "\($1.entityName).\($1.name)")
    }
  }

  /// An attribute.
  ///
  /// Its sorted records have equal values together, each group in ascending order of primary keys.
  private final class Key: RecordConsumer {
    let column: AttributeColumn
    let table: VerifiedTable
    private(set) var topic: UInt32 = 0
    private unowned let context: VerificationContext
    private var group: SortRecord?
    private var groupCount = 0
    private var recordCount = 0
    private var differentCount = 0
    private var repeatedCount = 0
    private var objectCount = 0
    private var example: [ManagedObjectID] = []

    init(_ column: AttributeColumn, _ table: VerifiedTable, _ context: VerificationContext) {
      self.column = column
      self.table = table
      self.context = context
      topic = context.topic(self)
    }

    func take(_ record: SortRecord) throws {
      recordCount += 1
      guard let group, group.key == record.key, group.first == record.first else {
        endGroup()
        group = record
        groupCount = 1
        differentCount += 1
        return
      }
      if example.isEmpty {
        example = try [group.second, record.second].map { try context.objectID($0, in: table) }
      }
      groupCount += 1
    }

    func topicDone() { endGroup() }

    private func endGroup() {
      if groupCount > 1 {
        repeatedCount += 1
        objectCount += groupCount
      }
      groupCount = 0
    }

    var result: RepeatedKey? {
      guard repeatedCount > 0, differentCount >= recordCount - differentCount else { return nil }
      return RepeatedKey(
        entityName: column.entityName, name: column.name, valueCount: repeatedCount,
        objectCount: objectCount, example: example)
    }
  }
}
