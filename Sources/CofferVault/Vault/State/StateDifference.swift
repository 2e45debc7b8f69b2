internal import CoreDataModel

/// The differences of a table's rows between two recorded states.
enum StateDifference {
  /// The change of a row.
  enum Change {
    case added, replaced, removed
  }

  /// Reports the change of each row that differs, in the order of the keys.
  ///
  /// A change comes with the integers of the row: the earlier ones, if it is removed.
  static func run(
    _ before: StateRows?, _ after: StateRows?,
    _ body: (Change, ContiguousArray<Int64>) throws -> Void
  ) throws {
    var (old, new) = (try next(before), try next(after))
    while true {
      switch (old, new) {
      case (nil, nil): return
      case (let row?, nil):
        try body(.removed, row.integers)
        old = try next(row)
      case (nil, let row?):
        try body(.added, row.integers)
        new = try next(row)
      case (let left?, let right?):
        switch order(left, right) {
        case ..<0:
          try body(.removed, left.integers)
          old = try next(left)
        case 0:
          if left.digest != right.digest {
            try body(.replaced, right.integers)
          } else {
            left.skipSame(as: right)
          }
          (old, new) = (try next(left), try next(right))
        default:
          try body(.added, right.integers)
          new = try next(right)
        }
      }
    }
  }

  /// Whether two tables have the same rows in the same order, by their digests alone.
  static func isSame(_ before: StateRows?, _ after: StateRows?) throws(CofferError) -> Bool {
    while true {
      switch (try next(before), try next(after)) {
      case (nil, nil): return true
      case (let left?, let right?) where left.digest == right.digest: left.skipSame(as: right)
      default: return false
      }
    }
  }

  private static func next(_ rows: StateRows?) throws(CofferError) -> StateRows? {
    guard let rows, try rows.next() else { return nil }
    return rows
  }

  /// Negative if the first key is the lower one, 0 if both are the same.
  private static func order(_ left: StateRows, _ right: StateRows) -> Int {
    for index in 0..<left.keyCount where left.integers[index] != right.integers[index] {
      return left.integers[index] < right.integers[index] ? -1 : 1
    }
    return 0
  }
}
