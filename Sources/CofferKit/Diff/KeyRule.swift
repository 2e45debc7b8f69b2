internal import CoreDataArchive
internal import CoreDataStore

/// Where the lines of a table have their keys.
struct KeyRule: Equatable {
  /// The members that make the key, in its order; empty where rows have no order to rely on.
  let members: [String]
  /// Whether keys are integers that ascend from line to line.
  let isAscending: Bool
  /// The beginning of a line that begins with its key.
  let beginning: ContiguousArray<UInt8>

  private init(_ members: [String], isAscending: Bool = false) {
    self.members = members
    self.isAscending = isAscending
    beginning = members.count == 1 ? [UInt8(ascii: "{")] + JSONKey(members[0]).text : []
  }

  /// The rule of a table.
  init(_ shape: TableLayout, schema: SchemaDocument) {
    if shape.kind == .entity {
      self.init(["$pk"], isAscending: true)
    } else if shape.hasRowNumbers {
      self.init(["$row"], isAscending: true)
    } else {
      let statement = schema.statements.first {
        $0.kind == SchemaStatement.Kind.table.rawValue && $0.name == shape.storedName
      }
      let columns = PrimaryKeyClause.columns(ofTable: statement?.text ?? "")
      let names = columns.compactMap { Self.member(for: $0, shape) }
      // Without row numbers, the key is a column that is another name of the row number; in a table
      // that has no row numbers at all, nobody knows how texts are ordered.
      let hasRows = statement?.text.uppercased().contains("WITHOUT ROWID") == false
      let isReliable =
        names.count == columns.count
        && (shape.kind == .relationship || (hasRows && columns.count == 1))
      self.init(isReliable ? names : [], isAscending: false)
    }
  }

  /// The rule for pairs whose other side names them the other way round.
  var swapped: KeyRule {
    KeyRule(members.map(PairContent.swappedName), isAscending: isAscending)
  }

  /// A rule for rows without any order.
  static let none = KeyRule([])

  private static func member(for column: String, _ shape: TableLayout) -> String? {
    let wanted = SchemaName(column)
    guard let field = shape.fields.first(where: { SchemaName($0.storedName) == wanted }) else {
      return nil
    }
    guard shape.kind == .relationship else { return LineKey.escaped(field.storedName) }
    switch field.role {
    case .source: return "source"
    case .destination: return "destination"
    case .destinationOrder: return "order"
    case .sourceOrder: return "inverseOrder"
    default: return nil
    }
  }
}
