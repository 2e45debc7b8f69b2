/// Goes through two tables in the order of their keys, side by side.
///
/// Rows of equal bytes are passed over at once: keys are looked at only where bytes differ.
struct TableMerge {
  let first: LineCursor
  let second: LineCursor
  /// Whether rows of equal bytes do not mean the same, so that all have to be looked at.
  let comparesAll: Bool

  /// Hands everything that differs to a handler, and now and then the number of rows that were
  /// passed to a closure.
  func run(_ handler: inout some RowHandler, step: (Int) throws -> Void) throws {
    var count = 0
    while !first.isAtEnd || !second.isAtEnd {
      if second.isAtEnd {
        try handler.remove(first)
        try first.advance()
      } else if first.isAtEnd {
        try handler.add(second)
        try second.advance()
      } else {
        try compare(&handler)
      }
      count += 1
      if count & 0xfff == 0 { try step(count) }
    }
    try handler.finish()
    try step(count)
  }

  private func compare(_ handler: inout some RowHandler) throws {
    if !comparesAll, first.hasSameBytes(as: second) {
      // The same reference may lead to other bytes.
      if first.mayReferElsewhere { try handler.compare(first, second) }
      return try advanceBoth()
    }
    guard let left = try first.key(), let right = try second.key(), left != right else {
      try handler.compare(first, second)
      return try advanceBoth()
    }
    if left < right {
      try handler.remove(first)
      try first.advance()
    } else {
      try handler.add(second)
      try second.advance()
    }
  }

  private func advanceBoth() throws {
    try first.advance()
    try second.advance()
  }
}
