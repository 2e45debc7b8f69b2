package import CofferCore
internal import CoreDataStore

/// A value of a key, in SQLite's order: NULL, numbers, texts, blobs.
package enum KeyValue: Hashable, Comparable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case other([UInt8])

  /// The value of a column; NULL for nil.
  ///
  /// A value that is too large to borrow is represented only by its presence.
  package init(_ row: Row, _ column: Int?) {
    guard let column else {
      self = .null
      return
    }
    let bytes = unsafe row.bytes(column).map { unsafe Array($0) } ?? []
    self =
      switch row.storageClass(column) {
      case .null: .null
      case .integer: .integer(row.integer(column) ?? 0)
      case .real: .real(row.number(column) ?? 0)
      case .text: .text(bytes)
      case .blob: .other(bytes)
      }
  }

  /// The integer; nil for other values.
  package var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  package static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.integer(let left), .real(let right)): Double(left) < right
    case (.real(let left), .integer(let right)): left < Double(right)
    case (.real(let left), .real(let right)): left < right
    case (.text(let left), .text(let right)), (.other(let left), .other(let right)):
      left.lexicographicallyPrecedes(right)
    default: left.rank < right.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .other: 3
    }
  }
}

/// The key that identifies a row in its table.
package struct RowKey: Hashable, Comparable {
  package var first: KeyValue
  package var rest: [KeyValue] = []

  package init(first: KeyValue, rest: [KeyValue] = []) {
    self.first = first
    self.rest = rest
  }

  package static func < (left: Self, right: Self) -> Bool {
    if left.first != right.first { return left.first < right.first }
    return left.rest.lexicographicallyPrecedes(right.rest)
  }
}
