internal import CoreDataModel
internal import CoreDataStore

/// Puts the statement together that reads the rows of a new table from the old store.
///
/// It has two levels: the inner level reads and computes; the outer level numbers, and looks up data that
/// needs a value of the inner level.
struct SelectionBuilder {
  /// The kinds of columns.
  enum Value {
    /// An expression over the old row, `t`.
    case sql(String)
    /// The value of a column of the old row, which may be a large one.
    case column(String, marker: TransferStatement.Marker, mayBeLarge: Bool, mayBeExternal: Bool)
    /// An expression over the row of the inner level.
    case outer(String)
  }

  private(set) var arguments: [SQLiteValue] = []
  private var columns: [TransferStatement.Column] = []
  private var values: [Value] = []

  mutating func parameter(_ value: SQLiteValue) -> String {
    arguments.append(value)
    return "?\(arguments.count)"
  }

  /// The name, at the outer level, of the value for a column of the new table.
  func name(ofColumn name: String) -> String? {
    columns.firstIndex { $0.name.hasSameBytes(as: name) }.map { "c\($0)" }
  }

  mutating func add(_ name: String, _ value: Value) {
    var column = TransferStatement.Column(name: name)
    if case .column(let origin, let marker, _, let mayBeExternal) = value {
      column.origin = origin
      column.marker = marker
      column.mayBeExternal = mayBeExternal
    }
    columns.append(column)
    values.append(value)
  }

  /// The statement; rows come in the order of their first column.
  func statement(
    table: String, from old: String, where condition: String,
    content: TransferStatement.Content
  ) -> TransferStatement {
    var columns = columns
    var (inner, outer, sizes): ([String], [String], [String]) = ([], [], [])
    for (index, value) in values.enumerated() {
      switch value {
      case .sql(let sql):
        inner.append("\(sql) AS c\(index)")
        outer.append("c\(index)")
      case .outer(let sql): outer.append(sql)
      case .column(let name, _, let mayBeLarge, _):
        let column = "t.\(quotedIdentifier(name))"
        outer.append("c\(index)")
        // In a table of very many columns, a few large values are read whole.
        guard mayBeLarge, columns.count + sizes.count < TableDesign.maxColumns else {
          inner.append("\(column) AS c\(index)")
          continue
        }
        // length() of a blob only reads its header, so a large one is never loaded.
        let isLarge =
          "typeof(\(column)) = 'blob' AND length(\(column)) > \(TransferStatement.largestValue)"
        inner.append("CASE WHEN \(isLarge) THEN NULL ELSE \(column) END AS c\(index)")
        inner.append("CASE WHEN \(isLarge) THEN length(\(column)) END AS s\(index)")
        columns[index].sizeColumn = Int32(clamping: columns.count + sizes.count)
        sizes.append("s\(index)")
      }
    }
    let sql =
      "SELECT \((outer + sizes).joined(separator: ", ")) FROM (SELECT "
      + "\(inner.joined(separator: ", ")) FROM \(quotedIdentifier(old)) AS t WHERE \(condition)) "
      + "ORDER BY c0"
    return TransferStatement(
      table: table, columns: columns, selection: sql, arguments: arguments, originTable: old,
      content: content)
  }
}
