package import CoreDataLayout

/// The losses of a table.
package struct TableLosses: Sendable, Equatable {
  /// A value that was lost from a row that was not.
  package struct Value: Sendable, Hashable {
    /// The row.
    package var row: Int64
    /// The column.
    package var column: String
  }

  /// The table.
  package var table: String
  /// The number of readable rows.
  package var readCount = 0
  /// The rows that were lost, in ascending order.
  package var rows: [LostRows] = []
  /// Whether an unknown number of rows was lost.
  package var hasUnknownRows = false
  /// The values that were lost, in ascending order of rows.
  package var values: [Value] = []

  /// Whether nothing was lost.
  package var isEmpty: Bool { rows.isEmpty && !hasUnknownRows && values.isEmpty }
  /// Whether rows were lost and none could be read.
  package var isWholeTable: Bool { readCount == 0 && (!rows.isEmpty || hasUnknownRows) }

  /// Whether a row number may be that of a lost row.
  package func mayHaveLost(_ key: Int64) -> Bool {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].first <= key { low = middle + 1 } else { high = middle }
    }
    return low > 0 && rows[low - 1].contains(key)
  }
}

extension LostRows {
  /// The number of rows, exact or an upper bound; nil if unknown.
  package var count: Int? { last.flatMap { KeyRange(first, $0)?.count } }

  /// Whether a row number may be that of a lost row.
  package func contains(_ key: Int64) -> Bool { first <= key && last.map { key <= $0 } ?? true }
}
