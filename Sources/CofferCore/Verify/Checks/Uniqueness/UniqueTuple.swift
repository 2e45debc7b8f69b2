internal import CoreDataLayout
internal import CoreDataModel

/// A uniqueness constraint with the columns of its properties.
struct UniqueTuple {
  /// The entity that declares it.
  ///
  /// It applies to that entity and its subentities.
  let entityName: String
  /// The properties as named in findings, in the order of the constraint.
  let propertyNames: String
  /// The columns, in the same order.
  let columns: [Int]

  /// The hash of a row's values.
  enum Hash: Equatable {
    /// The 128 bits.
    case tuple(high: UInt64, low: UInt64)
    /// A value is missing. Such a tuple never equals another.
    case incomplete
    /// A value is too large to read.
    case unread
  }

  /// Finds the columns.
  ///
  /// - Returns: nil if a property has no column.
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

  /// The hash of a row's values.
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
