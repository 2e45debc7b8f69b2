/// A condition on the rows of a table that SQLite evaluates while it reads them.
///
/// It is exact for every storage class of a value: a column is written as `+column`, which has no
/// affinity, so SQLite compares the stored values, and uses no index, which could be damaged.
/// A result that SQL leaves unknown counts as false.
package indirect enum RowFilter: Sendable, Hashable {
  /// The comparison of a value.
  package enum Relation: Sendable, Hashable {
    case less, lessOrEqual, greater, greaterOrEqual
  }

  /// All of some conditions are true; true without any.
  case all([RowFilter])
  /// At least one of some conditions is true; not true without any.
  case any([RowFilter])
  /// A condition is not true.
  case not(RowFilter)
  /// There is no value in a column.
  case isNull(Int)
  /// The value of a column is an integer, not a number with a fraction.
  case isInteger(Int)
  /// The value of a column has the kind of a given value, a number or a text, and compares with it
  /// in this way.
  case compares(Int, Relation, SQLiteValue)
  /// The value of a column equals one of some values; numbers are compared by value, not by storage class.
  /// NULL equals nothing.
  case isElement(Int, [SQLiteValue])

  /// The maximum number of values, and the maximum nesting, of a condition for SQLite, far below its limits.
  private static let most = (values: 500, depth: 60)

  /// Whether it is small enough for a statement.
  package var isModest: Bool {
    valueCount <= Self.most.values && depth <= Self.most.depth
  }

  private var valueCount: Int {
    switch self {
    case .all(let parts), .any(let parts): parts.reduce(1) { $0 + $1.valueCount }
    case .not(let part): 1 + part.valueCount
    case .isNull, .isInteger, .compares: 1
    case .isElement(_, let values): values.count
    }
  }

  /// The depth at which SQLite nests it: a list of conditions is a chain.
  private var depth: Int {
    switch self {
    case .all(let parts), .any(let parts): parts.count + (parts.map(\.depth).max() ?? 0)
    case .not(let part): 1 + part.depth
    case .isNull, .isInteger, .compares, .isElement: 3
    }
  }

  /// The condition in SQL, with a parameter for each value.
  ///
  /// The values are appended to the parameters. The key is the column that is the row number, whose values are
  /// integers and need no index.
  func sql(_ columns: [String], key: Int?, _ parameters: inout [SQLiteValue]) -> String {
    func name(_ column: Int) -> String {
      (column == key ? "" : "+") + quotedIdentifier(columns[column])
    }
    switch self {
    case .all(let parts): return joined(parts, " AND ", "1", columns, key, &parameters)
    case .any(let parts): return joined(parts, " OR ", "0", columns, key, &parameters)
    case .not(let part): return "(\(part.sql(columns, key: key, &parameters))) IS NOT TRUE"
    case .isNull(let column): return "\(name(column)) IS NULL"
    case .isInteger(let column): return "typeof(\(name(column))) = 'integer'"
    case .compares(let column, let relation, let value):
      parameters.append(value)
      let (name, collation) = (name(column), value.collation)
      let comparison = "\(name)\(collation) \(relation.text) ?"
      // Numbers precede texts, texts precede bytes.
      guard column != key, let bound = value.bound(of: relation) else { return comparison }
      return "\(comparison) AND \(name)\(collation) \(bound)"
    case .isElement(let column, let values):
      parameters += values
      let list = values.map { _ in "?" }.joined(separator: ", ")
      let collation = values.first { !$0.collation.isEmpty }?.collation ?? ""
      return "\(name(column))\(collation) IN (\(list))"
    }
  }

  private func joined(
    _ parts: [RowFilter], _ word: String, _ empty: String, _ columns: [String], _ key: Int?,
    _ parameters: inout [SQLiteValue]
  ) -> String {
    if parts.isEmpty { return empty }
    return parts.map { "(\($0.sql(columns, key: key, &parameters)))" }.joined(separator: word)
  }
}

extension RowFilter.Relation {
  fileprivate var text: String {
    switch self {
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }

  fileprivate var isUpward: Bool { self == .greater || self == .greaterOrEqual }
}

extension SQLiteValue {
  /// Overrides the schema: texts are compared byte by byte.
  fileprivate var collation: String { if case .text = self { " COLLATE BINARY" } else { "" } }

  /// The condition that keeps a comparison among values of the same kind; nil if none is needed.
  fileprivate func bound(of relation: RowFilter.Relation) -> String? {
    switch self {
    case .integer, .real: relation.isUpward ? "< ''" : nil
    case .text: relation.isUpward ? "< x''" : ">= ''"
    case .null, .blob: nil
    }
  }
}
