/// What of a table could not be read.
package struct TableLosses: Sendable, Equatable {
  /// Rows that were lost.
  package struct Rows: Sendable, Equatable {
    /// The lowest row number.
    package var first: Int64
    /// The highest row number; nil where nothing tells how far the rows went.
    package var last: Int64?
    /// Whether there was a row of each number; otherwise there were at most so many.
    package var isExact: Bool

    /// Creates rows.
    package init(first: Int64, last: Int64?, isExact: Bool) {
      self.first = first
      self.last = last
      self.isExact = isExact
    }

    /// How many rows that are, exactly or at most; nil where nothing tells.
    package var count: Int? { last.flatMap { KeyRange(first, $0)?.count } }

    /// Whether a row number may be that of a lost row.
    package func contains(_ key: Int64) -> Bool { first <= key && last.map { key <= $0 } ?? true }
  }

  /// A value that was lost from a row that was not.
  package struct Value: Sendable, Hashable {
    /// The row.
    package var row: Int64
    /// The column.
    package var column: String
  }

  /// The table.
  package var table: String
  /// How many rows could be read.
  package var readCount = 0
  /// The rows that were lost, in ascending order.
  package var rows: [Rows] = []
  /// Whether rows were lost of which not even the number can be said.
  package var hasUnknownRows = false
  /// The values that were lost, in ascending order of rows.
  package var values: [Value] = []

  /// Whether nothing was lost.
  package var isEmpty: Bool { rows.isEmpty && !hasUnknownRows && values.isEmpty }
  /// Whether rows were lost, and none could be read.
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
