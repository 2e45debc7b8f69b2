/// The plan for reading the rows of a table: one statement, made once, that returns the columns in the
/// requested order.
///
/// Blobs above a limit are not read with their row, because that would need their whole size in memory:
/// their column is NULL, and an additional column contains their size, as far as SQLite allows so many.
package struct RowPlan: Sendable {
  /// The order and identity of the rows.
  package enum Key: Sendable, Equatable {
    /// The column of that index is the table's integer primary key.
    case integerColumn(Int)
    /// SQLite's own row number, which no column shows.
    case hiddenRowNumber
    /// These columns, in this order.
    case columns([Int])
  }

  /// The statement.
  package private(set) var sql: String
  /// The values of its first parameters; the caller binds the others for each row.
  package private(set) var parameters: [SQLiteValue] = []
  /// By column: the column of the result that holds the size of a blob that was left out; -1 where
  /// all values are read.
  package let sizeColumns: [Int32]
  /// The result column with the row number; nil if rows have none.
  package let rowNumberColumn: Int32?
  /// The columns that order and identify the rows; empty for rows with numbers, or without a key.
  package let keyColumns: [Int32]
  /// The table.
  package let table: String
  /// The columns.
  package let columns: [String]
  /// The columns that identify a row, in order; the number of columns means a row number that no
  /// column shows.
  package let identityColumns: [Int]
  /// The parts of the statement: the result columns, and the columns of the order; empty for no
  /// order.
  private let results: String
  private let order: String
  /// The quoted names that identify a row: the key's columns, or the row number.
  private let identity: [String]

  /// Plans the reading of a table.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - columns: the names of the columns, each with whether large blobs are to be left out.
  ///   - key: the order of the rows.
  ///   - blobLimit: the maximum size of a blob that is read with its row.
  package init(
    table: String, columns: [(name: String, mayBeLarge: Bool)], key: Key, blobLimit: Int
  ) {
    self.table = table
    let names = columns.map(\.name)
    self.columns = names
    var results: [String] = []
    var sizes: [String] = []
    var sizeColumns: [Int32] = []
    let hasRowNumbers = if case .columns = key { false } else { true }
    for (name, mayBeLarge) in columns {
      let column = quotedIdentifier(name)
      let resultCount = columns.count + sizes.count + 1
      guard mayBeLarge, hasRowNumbers, resultCount < ConnectionDefense.maxColumns else {
        results.append(column)
        sizeColumns.append(-1)
        continue
      }
      // length() of a blob only reads its header, so a large one is never loaded. It comes first:
      // to ask for the type, and compare it, takes three times as long.
      let isLarge = "length(\(column)) > \(blobLimit) AND typeof(\(column)) = 'blob'"
      results.append("CASE WHEN \(isLarge) THEN NULL ELSE \(column) END")
      sizeColumns.append(Int32(clamping: columns.count + sizes.count))
      sizes.append("CASE WHEN \(isLarge) THEN length(\(column)) END")
    }
    let order: String
    switch key {
    case .integerColumn(let index):
      rowNumberColumn = Int32(clamping: index)
      keyColumns = []
      order = quotedIdentifier(names[index])
    case .hiddenRowNumber:
      rowNumberColumn = Int32(clamping: columns.count + sizes.count)
      keyColumns = []
      order = Self.hiddenRowNumber(besides: names)
      sizes.append(order)
    case .columns(let indices):
      rowNumberColumn = nil
      keyColumns = indices.map { Int32(clamping: $0) }
      order = indices.map { quotedIdentifier(names[$0]) }.joined(separator: ", ")
    }
    switch key {
    case .integerColumn(let index): (identity, identityColumns) = ([order], [index])
    case .hiddenRowNumber: (identity, identityColumns) = ([order], [columns.count])
    case .columns(let indices):
      (identity, identityColumns) = (indices.map { quotedIdentifier(names[$0]) }, indices)
    }
    self.sizeColumns = sizeColumns
    self.results = (results + sizes).joined(separator: ", ")
    self.order = order
    sql = ""
    sql = selection + (order.isEmpty ? "" : " ORDER BY \(order)")
  }

  /// Whether rows have numbers that no column shows.
  package var hasHiddenRowNumbers: Bool {
    rowNumberColumn.map { Int($0) >= columns.count } ?? false
  }

  /// The plan for the rows in a range of numbers, whose bounds are the parameters; for all rows if they
  /// have no numbers.
  package func limited(to numbers: ClosedRange<Int64>) -> RowPlan {
    guard rowNumberColumn != nil else { return self }
    var plan = self
    plan.sql = "\(selection) WHERE \(order) BETWEEN ?1 AND ?2 ORDER BY \(order)"
    plan.parameters = [.integer(numbers.lowerBound), .integer(numbers.upperBound)]
    return plan
  }

  /// The plan for the rows that match a condition.
  package func limited(to filter: RowFilter) -> RowPlan {
    var plan = self
    let key = hasHiddenRowNumbers ? nil : rowNumberColumn.map { Int($0) }
    let condition = filter.sql(columns, key: key, &plan.parameters)
    plan.sql = "\(selection) WHERE \(condition)" + (order.isEmpty ? "" : " ORDER BY \(order)")
    return plan
  }

  /// Limits the plan to the rows whose numbers another table has; only for a table whose rows have
  /// numbers, shown or not.
  ///
  /// - Parameters:
  ///   - table: the other table, with its schema.
  ///   - column: its column with the numbers, in whose order it is read; no column of this table has its
  ///     name.
  ///   - condition: the condition for its rows.
  /// - Returns: the plan.
  package func limited(
    toNumbersIn table: String, _ column: String, where condition: String
  ) -> RowPlan {
    let own = quotedIdentifier(self.table)
    let number =
      rowNumberColumn != nil && !hasHiddenRowNumbers
      ? order : Self.hiddenRowNumber(besides: columns)
    let order = rowNumberColumn == nil ? self.order : column
    var plan = self
    // A cross join keeps its order: first the numbers, then the row of each number.
    plan.sql =
      "SELECT \(results) FROM \(table) CROSS JOIN \(own) ON \(own).\(number) = \(column) "
      + "WHERE \(condition)" + (order.isEmpty ? "" : " ORDER BY \(order)")
    return plan
  }

  private var selection: String { "SELECT \(results) FROM \(quotedIdentifier(table))" }

  /// The statement for the rows from a key on, whose columns are the parameters from 1 on; nil for rows
  /// without an order.
  package var statementFromKey: String? {
    guard !order.isEmpty else { return nil }
    let parameters = (1...max(1, keyColumns.count)).map { "?\($0)" }.joined(separator: ", ")
    return "\(selection) WHERE (\(order)) >= (\(parameters)) ORDER BY \(order)"
  }

  /// The statement for the keys of all rows; nil for rows without an order.
  package var statementForKeys: String? {
    order.isEmpty ? nil : "SELECT \(order) FROM \(quotedIdentifier(table)) ORDER BY \(order)"
  }

  /// The statement for the first and the last number of a row, NULL without rows; nil for rows that
  /// have none.
  package var statementForBounds: String? {
    guard rowNumberColumn != nil else { return nil }
    let table = quotedIdentifier(table)
    return "SELECT (SELECT min(\(order)) FROM \(table)), (SELECT max(\(order)) FROM \(table))"
  }

  /// The condition for one row: a parameter for each part of its key, the first with a number.
  ///
  /// It is nil if nothing identifies a row.
  package func condition(from parameter: Int) -> String? {
    guard !identity.isEmpty else { return nil }
    return identity.enumerated().map { "\($1) IS ?\(parameter + $0)" }.joined(separator: " AND ")
  }

  /// The statement for the row with a key; nil if nothing identifies a row.
  package var singleRow: RowPlan? {
    guard let condition = condition(from: 1) else { return nil }
    var plan = self
    plan.sql = "\(selection) WHERE \(condition)"
    return plan
  }

  /// Limits the plan to the row that has the value of a parameter, the first, in a column.
  package func row(byColumn column: Int) -> RowPlan {
    var plan = self
    plan.sql = "\(selection) WHERE \(quotedIdentifier(columns[column])) IS ?1"
    return plan
  }

  /// The name of the row number in SQLite, one that no column uses; `rowid` if columns use all its names.
  package static func hiddenRowNumber(besides columns: [String]) -> String {
    let taken = Set(columns.map { $0.lowercased() })
    return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) } ?? "rowid"
  }
}
