internal import CofferCore
package import CoreDataArchive
package import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The columns that identify the rows of a table.
package struct KeyRule {
  /// The parts of the key, independent of the names of their columns; empty if the rows have no
  /// reliable order.
  private let parts: [Name]
  /// The columns of the key, in order.
  package let columns: [Int]
  /// Whether the keys are ascending integers.
  package let isAscending: Bool

  private init(_ parts: [(name: String, column: Int)] = [], isAscending: Bool = false) {
    self.parts = parts.map { Name($0.name) }
    columns = parts.map(\.column)
    self.isAscending = isAscending
  }

  /// The rule for rows without an order.
  static let none = KeyRule()

  /// The rule of a table.
  package init(_ shape: TableLayout, schema: SchemaDocument) {
    if shape.kind == .entity {
      let column = shape.fields.firstIndex { $0.role == .primaryKey }
      self.init(column.map { [("$pk", $0)] } ?? [], isAscending: true)
    } else if shape.hasRowNumbers {
      self.init([("$row", shape.fields.count)], isAscending: true)
    } else {
      let statement = schema.creation(of: shape)
      let columns = PrimaryKeyClause.columns(ofTable: statement?.text ?? "")
      let parts = columns.compactMap { Self.part($0, shape) }
      // Without exported row numbers, the key is the column that is an alias of the row number. In
      // a table without row numbers, the order of texts is unknown.
      let isReliable =
        parts.count == columns.count
        && (shape.kind == .relationship
          || (columns.count == 1 && schema.canNameRows(of: shape)))
      self.init(isReliable ? parts : [])
    }
  }

  /// Whether two tables have the same keys in the same order.
  ///
  /// - Returns: whether the rows of both can be matched by key.
  func orders(as other: KeyRule, isSwapped: Bool) -> Bool {
    let names =
      isSwapped ? other.parts.map { Name(RowPairing.swapped($0.text)) } : other.parts
    return parts == names && isAscending == other.isAscending
  }

  private static func part(_ column: String, _ shape: TableLayout) -> (name: String, column: Int)? {
    guard let index = shape.column(column) else { return nil }
    let field = shape.fields[index]
    guard shape.kind == .relationship else { return (field.storedName, index) }
    switch field.role {
    case .source: return ("source", index)
    case .destination: return ("destination", index)
    case .destinationOrder: return ("order", index)
    case .sourceOrder: return ("inverseOrder", index)
    default: return nil
    }
  }
}
