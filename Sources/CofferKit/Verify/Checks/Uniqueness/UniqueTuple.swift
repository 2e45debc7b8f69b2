internal import CoreDataLayout
internal import CoreDataModel

/// A uniqueness constraint with the columns of its properties.
struct UniqueTuple {
  /// The entity that declares it; it holds for that entity and all below it.
  let entityName: String
  /// The properties as findings name them, in the order of the constraint.
  let propertyNames: String
  /// The columns, in the same order.
  let columns: [Int]

  /// The hash of a row's values.
  enum Hash: Equatable {
    /// The 128 bits.
    case tuple(high: UInt64, low: UInt64)
    /// A value is missing: such a tuple is never the same as another.
    case incomplete
    /// A value is too large to be read.
    case unread
  }

  /// Looks the columns up.
  ///
  /// - Returns: nil where a property has no column.
  init?(
    _ constraint: [String], of entity: String, in table: VerifiedTable, _ model: ManagedObjectModel
  ) {
    let lineage = model.lineage(of: entity).map(\.name).exactStrings
    let attributes = AttributeColumn.all(of: table, model)
      .filter { lineage.contains($0.entityName) }
    let columns = constraint.compactMap { name in
      attributes.first { $0.name.hasSameBytes(as: name) }?.column
        ?? table.shape.fields.firstIndex { field in
          guard case .toOne(let own, let declarer) = field.role else { return false }
          return own.hasSameBytes(as: name) && lineage.contains(declarer)
        }
    }
    guard !columns.isEmpty, columns.count == constraint.count else { return nil }
    entityName = entity
    propertyNames = constraint.joined(separator: ", ")
    self.columns = columns
  }

  /// The hash of the values that a row has.
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
