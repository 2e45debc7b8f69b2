internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Which columns tell the rows of a table from each other.
struct KeyRule {
  /// What the key is made of, whatever the columns are called that hold it; empty where rows have no
  /// order to rely on.
  private let parts: [ExactString]
  /// The columns that make the key, in its order.
  let columns: [Int]
  /// Whether keys are integers that ascend from row to row.
  let isAscending: Bool

  private init(_ parts: [(name: String, column: Int)] = [], isAscending: Bool = false) {
    self.parts = parts.map { ExactString($0.name) }
    columns = parts.map(\.column)
    self.isAscending = isAscending
  }

  /// A rule for rows without any order.
  static let none = KeyRule()

  /// The rule of a table.
  init(_ shape: TableLayout, schema: SchemaDocument) {
    if shape.kind == .entity {
      let column = shape.fields.firstIndex { $0.role == .primaryKey }
      self.init(column.map { [("$pk", $0)] } ?? [], isAscending: true)
    } else if shape.hasRowNumbers {
      self.init([("$row", shape.fields.count)], isAscending: true)
    } else {
      let statement = schema.statements.first {
        $0.kind == SchemaStatement.Kind.table.rawValue
          && $0.name.hasSameBytes(as: shape.storedName)
      }
      let columns = PrimaryKeyClause.columns(ofTable: statement?.text ?? "")
      let parts = columns.compactMap { Self.part($0, shape) }
      // Without row numbers, the key is a column that is another name of the row number; in a table
      // that has no row numbers at all, nobody knows how texts are ordered.
      let hasRows = statement?.text.uppercased().contains("WITHOUT ROWID") == false
      let isReliable =
        parts.count == columns.count
        && (shape.kind == .relationship || (hasRows && columns.count == 1))
      self.init(isReliable ? parts : [])
    }
  }

  /// Whether two tables have the same keys in the same order.
  ///
  /// - Parameters:
  ///   - other: the rule of the other table.
  ///   - isSwapped: whether that one names pairs the other way round.
  /// - Returns: whether rows of both can be matched by their keys.
  func orders(as other: KeyRule, isSwapped: Bool) -> Bool {
    let names =
      isSwapped ? other.parts.map { ExactString(RowPairing.swapped($0.text)) } : other.parts
    return parts == names && isAscending == other.isAscending
  }

  private static func part(_ column: String, _ shape: TableLayout) -> (name: String, column: Int)? {
    let wanted = SchemaName(column)
    guard let index = shape.fields.firstIndex(where: { SchemaName($0.storedName) == wanted }) else {
      return nil
    }
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
