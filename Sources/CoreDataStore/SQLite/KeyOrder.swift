/// Checks that the rows of a plan come in the order of their keys, each once: damaged pages can show a row
/// again, or rows of another table.
///
/// Keys that are not integers are not compared.
package struct KeyOrder {
  private let columns: [Int32]
  private var last: [Int64]
  /// The column and the latest number of a key of one column, as nearly all tables have.
  private let single: Int32
  private var lastSingle: Int64 = 0
  private var hasLast = false

  /// Whether a key had a part that is not an integer, so that ``ascends(_:)`` did not compare it.
  package private(set) var isUncertain = false

  /// The order of the rows that a plan reads.
  package init(_ plan: RowPlan) {
    self.init(columns: plan.rowNumberColumn.map { [$0] } ?? plan.keyColumns)
  }

  /// The order of rows that consist only of keys of a number of columns.
  package init(keyColumns count: Int32) { self.init(columns: Array(0..<count)) }

  private init(columns: [Int32]) {
    self.columns = columns
    last = Array(repeating: 0, count: columns.count)
    single = columns.count == 1 ? columns[0] : -1
  }

  /// Takes the next row.
  ///
  /// - Parameter integer: gives the integer in a column of the row; nil for another storage class.
  /// - Returns: false if its key does not follow the previous key.
  package mutating func ascends(_ integer: (Int32) -> Int64?) -> Bool {
    guard single >= 0 else { return combinedAscends(integer) }
    guard let key = integer(single) else {
      (hasLast, isUncertain) = (false, true)
      return true
    }
    guard !hasLast || key > lastSingle else { return false }
    (lastSingle, hasLast) = (key, true)
    return true
  }

  private mutating func combinedAscends(_ integer: (Int32) -> Int64?) -> Bool {
    var isGreater = !hasLast || columns.isEmpty
    for index in columns.indices {
      guard let key = integer(columns[index]) else {
        (hasLast, isUncertain) = (false, true)
        return true
      }
      if !isGreater, key < last[index] { return false }
      if key > last[index] { isGreater = true }
      last[index] = key
    }
    hasLast = true
    return isGreater
  }
}
