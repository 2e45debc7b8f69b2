/// A value as 64 bits, the same on every run: enough to tell whether two values are the same without
/// keeping them.
///
/// Values of different storage classes differ, but for numbers: SQLite stores 1.0 as the integer 1
/// where a column's affinity asks for it.
struct ValueHash: Equatable {
  /// No value.
  static let null = ValueHash(bits: 0)

  /// The bits; 0 only for ``null``.
  let bits: Int64

  /// The hash that was kept in a record.
  init(bits: Int64) { self.bits = bits }

  /// The hash of a value of a row; nil where the value is too large to be lent.
  init?(_ row: Row, _ column: Int) {
    if row.isNull(column) {
      self = .null
      return
    }
    var hasher = TupleHasher()
    guard hasher.add(row, column) else { return nil }
    let low = hasher.finish().low
    bits = Int64(bitPattern: low == 0 ? 1 : low)
  }
}
