internal import CoreDataStore

/// Rows of one table, copied with all bytes that they borrow, so that another thread can take them.
///
/// They are kept as a ``Row`` has them, and a row lends them from here: nothing is done for each value a
/// second time.
struct CopiedRows: Sendable {
  /// The values of all rows, as many for each.
  private var cells: ContiguousArray<BorrowedCell> = []
  /// The bytes of texts and blobs.
  private var bytes: ContiguousArray<UInt8> = []
  private(set) var count = 0

  /// The bytes of memory that are worth keeping.
  private static let maxSpare = 1 << 20

  /// No rows.
  ///
  /// - Parameter byteCount: the bytes of memory that are expected to be needed.
  init(reserving byteCount: Int) {
    cells.reserveCapacity(byteCount / MemoryLayout<BorrowedCell>.stride)
    bytes.reserveCapacity(byteCount / 2)
  }

  /// Copies some integers of decoded rows; nil if one of these values is neither an integer nor NULL.
  ///
  /// - Parameters:
  ///   - decoded: the rows.
  ///   - range: the rows to copy.
  ///   - columns: by parameter, the column here, or -1 for values that are left out.
  ///   - width: the number of columns of a ``Row`` that takes these.
  init?(_ decoded: DecodedRows, _ range: Range<Int>, columns: ContiguousArray<Int>, width: Int) {
    cells = ContiguousArray(repeating: BorrowedCell(), count: range.count &* width)
    count = range.count
    var start = 0
    for row in range {
      for value in decoded.cells[decoded.range(of: row)] {
        let column = columns[Int(value.parameter)]
        if column < 0 || value.kind == .null { continue }
        guard value.kind == .integer else { return nil }
        cells[start &+ column] = BorrowedCell(.integer, bits: Int64(bitPattern: value.bits))
      }
      start &+= width
    }
  }

  var byteCount: Int { bytes.count + cells.count * MemoryLayout<BorrowedCell>.stride }

  /// Copies rows behind the others, which must be of the same table, until they take some memory.
  ///
  /// In a loop here, because each access from elsewhere would be checked for exclusivity.
  ///
  /// - Returns: false if there are no more rows.
  /// - Throws: errors from reading; the rows before were copied.
  mutating func append(from source: StoreRows, upTo size: Int) throws -> Bool {
    let row = source.row
    while byteCount < size {
      guard try source.next() else { return false }
      append(row)
    }
    return true
  }

  /// Copies a row behind the others, which must be of the same table.
  mutating func append(_ row: Row) {
    unsafe row.withCells { own in
      let start = cells.count
      unsafe cells.append(contentsOf: own)
      for column in own.indices where unsafe own[column].hasPlace {
        guard let lent = unsafe row.bytes(column) ?? row.payload(column) else { continue }
        cells[start &+ column].bits = Int64(bytes.count)
        unsafe bytes.append(contentsOf: lent)
      }
    }
    count &+= 1
  }

  /// Fills a row with each of these, in order.
  ///
  /// - Parameters:
  ///   - row: a row of the same table, which lends the values only for the time of the closure.
  ///   - body: is called for each.
  /// - Throws: errors from the closure.
  func forEach(_ row: Row, _ body: () throws -> Void) rethrows {
    defer { row.clearBindings() }
    try unsafe cells.withUnsafeBufferPointer { cells in
      try unsafe bytes.withUnsafeBytes { bytes in
        for index in 0..<count {
          unsafe row.lend(cells, index, bytes)
          try body()
        }
      }
    }
  }

  /// Removes everything and keeps the memory, unless it is unusually much.
  mutating func removeAll() {
    count = 0
    cells.removeAll(keepingCapacity: true)
    if bytes.capacity > Self.maxSpare {
      bytes = []
    } else {
      bytes.removeAll(keepingCapacity: true)
    }
  }
}
