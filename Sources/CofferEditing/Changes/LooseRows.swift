internal import CofferComparison
internal import CofferCore

/// Rows of a table without a row key, in the order of their addition.
struct LooseRows {
  private var rows: [ChangeSide?] = []
  /// The places of the rows with the same values, as far as a line borrows them.
  private var places: [[KeyValue]: [Int]] = [:]
  private let columns: Range<Int>

  init(columnCount: Int) { columns = 0..<columnCount }

  /// The rows that remain.
  var all: some Sequence<ChangeSide> { rows.lazy.compactMap { $0 } }

  /// Adds a copy of a row.
  mutating func add(_ row: ChangeSide) {
    places[key(row), default: []].append(rows.count)
    rows.append(row.copy())
  }

  /// Removes one row with the same values.
  ///
  /// - Returns: false if there is none.
  /// - Throws: ``CofferError`` if a value cannot be read.
  mutating func remove(_ row: ChangeSide) throws -> Bool {
    let key = key(row)
    guard let candidates = places[key] else { return false }
    for (index, place) in candidates.enumerated().reversed() {
      guard let known = rows[place],
        try columns.allSatisfy({ try known.hasSameValue($0, as: row, $0) })
      else { continue }
      rows[place] = nil
      places[key]?.remove(at: index)
      return true
    }
    return false
  }

  private func key(_ row: ChangeSide) -> [KeyValue] { columns.map { KeyValue(row.row, $0) } }
}
