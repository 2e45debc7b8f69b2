internal import CoreDataLayout
internal import CoreDataModel

/// Checks that no two objects violate a uniqueness constraint.
final class UniquenessCheck: RunCheck, Check {
  static let name = CheckName.uniqueness
  static let modelNeed = ModelNeed.whole
  private var constraints: [Constraint] = []

  func prepare() throws {
    let model = context.subject.model
    for entity in model.entities where !entity.uniquenessConstraints.isEmpty {
      guard let table = context.table(ofEntity: entity.name) else { continue }
      let inherited = Set(
        model.lineage(of: entity.name).dropLast().flatMap { above in
          above.uniquenessConstraints
        })
      // A constraint holds for the entities below too, and some models list it there again.
      for names in entity.uniquenessConstraints
      where !inherited.contains(names) {
        guard let tuple = UniqueTuple(names, of: entity.name, in: table, model) else {
          let text = names.joined(separator: ", ")
          try context.reportNotRun(Self.name, "\(entity.name): no columns for \(text)")
          continue
        }
        constraints.append(Constraint(tuple, table, context))
      }
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    let ofTable = constraints.filter { $0.table.index == table.index }
    let plans = EntityPlans(context, ofTable.map { ($0.tuple.entityName, $0) })
    if plans.isEmpty { return nil }
    return RowVisitor { [context] row in
      guard let key = row.primaryKey else { return }
      for index in plans.indices(for: row) {
        let constraint = plans[index]
        switch constraint.tuple.hash(of: row) {
        case .tuple(let high, let low):
          try context.sorter.append(
            SortRecord(
              topic: constraint.topic, rank: 0, key: Int64(bitPattern: high),
              first: Int64(bitPattern: low), second: key))
        case .incomplete: break
        case .unread: constraint.unreadCount += 1
        }
      }
    }
  }

  func rowsDone() throws {
    for constraint in constraints where constraint.unreadCount > 0 {
      let tuple = constraint.tuple
      try context.reportNotRun(
        Self.name,
        "\(tuple.entityName): \(tuple.propertyNames): \(constraint.unreadCount) values too large")
    }
  }

  /// A constraint.
  ///
  /// Its sorted records have equal tuples together, each group in ascending order of primary keys.
  private final class Constraint: RecordConsumer {
    let tuple: UniqueTuple
    let table: VerifiedTable
    private(set) var topic: UInt32 = 0
    /// The number of tuples skipped because a value is too large to read.
    var unreadCount = 0
    private let context: VerificationContext
    private var group: SortRecord?
    private var lastKey: Int64 = 0

    init(_ tuple: UniqueTuple, _ table: VerifiedTable, _ context: VerificationContext) {
      self.tuple = tuple
      self.table = table
      self.context = context
      topic = context.topic(self)
    }

    func take(_ record: SortRecord) throws {
      guard let group, group.key == record.key, group.first == record.first else {
        group = record
        lastKey = record.second
        return
      }
      // A duplicate object is another finding.
      if record.second == lastKey { return }
      lastKey = record.second
      let first = try context.objectID(group.second, in: table)
      try context.report(
        .duplicateUniqueValue, objectID: context.objectID(record.second, in: table),
        propertyName: tuple.propertyNames, detail: "the same as \(first)")
    }
  }
}

/// A uniqueness constraint with the columns of its properties.
struct UniqueTuple {
  /// The entity that declares it.
  ///
  /// It applies to that entity and its subentities.
  let entityName: Name
  /// The properties as named in findings, in the order of the constraint.
  let propertyNames: Name
  /// The columns, in the same order.
  private(set) var columns: [Int]

  /// The hash of a row's values.
  enum Hash: Hashable {
    /// The 128 bits.
    case tuple(high: UInt64, low: UInt64)
    /// A value is missing. Such a tuple never equals another.
    case incomplete
    /// A value is too large to read.
    case unread
  }

  /// Finds the columns; returns nil if a property has no column.
  init?(
    _ constraint: [Name], of entity: Name, in table: VerifiedTable, _ model: ManagedObjectModel
  ) {
    let lineage = Set(model.lineage(of: entity).map(\.name))
    let attributes = AttributeColumn.all(of: table, model)
      .filter { lineage.contains($0.entityName) }
    let columns = constraint.compactMap { name in
      attributes.first { $0.name == name }?.column
        ?? table.shape.fields.firstIndex { field in
          guard case .toOne(let own, let declarer) = field.role else { return false }
          return own == name && lineage.contains(declarer)
        }
    }
    guard !columns.isEmpty, columns.count == constraint.count else { return nil }
    entityName = entity
    propertyNames = Name(constraint.joined(separator: ", "))
    self.columns = columns
  }

  /// The tuple in rows that have its values in other columns.
  func moved(to columns: [Int]) -> UniqueTuple {
    var tuple = self
    tuple.columns = columns
    return tuple
  }

  func hash(of row: Row) -> Hash {
    var hasher = TupleHasher()
    var isRead = true
    for column in columns {
      if row.isNull(column) { return .incomplete }
      if !hasher.add(row, column) { isRead = false }
    }
    guard isRead else { return .unread }
    let (high, low) = hasher.finish()
    return .tuple(high: high, low: low)
  }
}
