/// Rows of another source, copied so that another thread can take them.
extension DecodedRows {
  /// A value that its reader did not lend: only its size and its first byte are known.
  struct LargeValue: Sendable {
    /// The index of the row.
    var row: Int
    /// The column.
    var column: Int
    /// The size in bytes.
    var size: Int
    /// The first byte.
    var firstByte: UInt8
    /// Whether it is a text.
    var isText: Bool
  }

  /// Copies a row behind the others, with all bytes that it borrows.
  mutating func append(_ row: CofferKit.Row) {
    if rows.isEmpty { areTextsValid = true }
    for column in 0..<row.columnCount {
      let parameter = Int32(truncatingIfNeeded: column &+ 1)
      switch row.storageClass(column) {
      case .null: continue
      case .integer:
        let number = UInt64(bitPattern: row.integer(column) ?? 0)
        cells.append(DecodedValue(.integer, at: parameter, bits: number))
      case .real:
        let bits = row.number(column)?.bitPattern ?? 0
        cells.append(DecodedValue(.real, at: parameter, bits: bits))
      case .text:
        if areTextsValid, let bytes = unsafe row.bytes(column) {
          areTextsValid = unsafe UTF8Text.isValid(bytes)
        }
        copy(row, column, .text)
      case .blob: copy(row, column, .blob)
      }
    }
    rows.append(
      Row(
        cellEnd: Int32(truncatingIfNeeded: cells.count), toOneCount: 0,
        lineEnd: UInt32(clamping: lines.count), blobBytes: 0, blobDigits: 0))
  }

  private mutating func copy(
    _ row: CofferKit.Row, _ column: Int, _ kind: DecodedValue.Kind
  ) {
    guard let bytes = unsafe row.bytes(column) else {
      let firstByte = row.firstByte(column) ?? 0
      return largeValues.append(
        LargeValue(
          row: rows.count, column: column, size: row.size(column), firstByte: firstByte,
          isText: kind == .text))
    }
    cells.append(
      DecodedValue(
        kind, at: Int32(truncatingIfNeeded: column &+ 1), bits: UInt64(lines.count),
        count: bytes.count))
    unsafe lines.append(contentsOf: bytes)
  }

  /// Fills a row of a source with one of these.
  ///
  /// - Parameters:
  ///   - row: is filled.
  ///   - index: the index of the row to fill it with; rows come in order.
  ///   - lent: the values of these rows.
  ///   - outOfLineValues: its values that have their own entries.
  ///   - large: the position among the large values, 0 for the first row.
  func fill(
    _ row: CofferKit.Row, with index: Int, _ lent: borrowing Lent,
    _ outOfLineValues: [OutOfLineValue] = [], large: inout Int
  ) {
    row.clearBindings()
    row.areTextsValid = areTextsValid
    lent.bind(index, outOfLineValues, to: row)
    while large < largeValues.count, largeValues[large].row == index {
      let value = largeValues[large]
      row.setLarge(
        value.column, size: value.size, firstByte: value.firstByte, isText: value.isText)
      large += 1
    }
  }

  /// Removes everything and keeps the memory, unless it is unusually much.
  mutating func removeAll() {
    removeRows()
    cells.removeAll(keepingCapacity: true)
    if lines.capacity > Self.mostSpare {
      lines = []
    } else {
      lines.removeAll(keepingCapacity: true)
    }
    if !largeValues.isEmpty { largeValues.removeAll() }
  }

  /// The bytes of memory that are worth keeping.
  private static let mostSpare = 1 << 20
}
