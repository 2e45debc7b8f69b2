internal import GRDBSQLite

/// A value of a row with borrowed bytes.
@safe package struct BorrowedCell: Sendable {
  /// The storage class.
  package var storageClass = StorageClass.null
  /// Whether all bytes of a string or blob are borrowed.
  package var isBorrowed = false
  /// Whether at least the bytes of a blob after its first one are, as with an added marker.
  package var hasPlace = false
  /// The first byte of a string or blob, if there is one.
  package var firstByte: UInt8 = 0
  /// The integer, the bits of the floating point number, or the place of borrowed bytes.
  package var bits: Int64 = 0
  /// The size of a string or blob in bytes.
  package var size = 0

  /// No value.
  @inlinable package init() {}

  /// An integer, or the bits of a floating point number.
  @inlinable package init(_ storageClass: StorageClass, bits: Int64) {
    self.storageClass = storageClass
    self.bits = bits
  }

  /// A borrowed string or blob.
  @inlinable @inline(__always)
  package init(_ storageClass: StorageClass, lending bytes: UnsafeRawBufferPointer) {
    self.storageClass = storageClass
    isBorrowed = true
    size = bytes.count
    guard let start = bytes.baseAddress else { return }
    if size > 0 { firstByte = unsafe start.load(as: UInt8.self) }
    unsafe lend(start)
  }

  /// A blob of a marker, 1, followed by borrowed bytes.
  @inlinable package init(marking bytes: UnsafeRawBufferPointer) {
    self.init(.blob, size: bytes.count + 1, firstByte: 1)
    if let start = bytes.baseAddress { unsafe lend(start) }
  }

  /// A text or a blob with only a known size and first byte.
  @inlinable package init(_ storageClass: StorageClass, size: Int, firstByte: UInt8) {
    self.storageClass = storageClass
    self.firstByte = firstByte
    self.size = size
  }

  @inlinable @inline(__always) mutating func lend(_ start: UnsafeRawPointer) {
    hasPlace = true
    bits = Int64(truncatingIfNeeded: Int(bitPattern: start))
  }

  /// The beginning of borrowed bytes: an address, or in a copied row their distance from the first copied
  /// byte; nil if there are none.
  @inlinable package var place: UInt? {
    hasPlace ? UInt(truncatingIfNeeded: bits) : nil
  }
}

extension SQLiteStatement {
  /// Returns all values of the current row, borrowed until the next step.
  ///
  /// Each value is found at most once: asking the statement by column costs a search and an error check for
  /// each question. SQLite calls such values unprotected: no other thread may use the connection meanwhile,
  /// which is guaranteed within a block of a ``SQLiteConnection``.
  package func read(into cells: UnsafeMutablePointer<BorrowedCell>, count: Int) {
    let first = unsafe found(0)
    let distance = unsafe distance(ofValues: count, from: first)
    for column in 0..<count {
      let value =
        unsafe distance == 0
        ? found(column) : OpaquePointer(bitPattern: Int(bitPattern: first) &+ column &* distance)
      switch unsafe sqlite3_value_type(value) {
      case SQLITE_INTEGER:
        unsafe cells[column] = BorrowedCell(.integer, bits: sqlite3_value_int64(value))
      case SQLITE_FLOAT:
        let bits = unsafe sqlite3_value_double(value).bitPattern
        unsafe cells[column] = BorrowedCell(.real, bits: Int64(bitPattern: bits))
      case SQLITE_TEXT:
        // The pointer first: asking for the size before could convert the value under it.
        let start = unsafe UnsafeRawPointer(sqlite3_value_text(value))
        unsafe cells[column] = BorrowedCell(.text, lending: Self.bytes(start, of: value))
      case SQLITE_BLOB:
        let start = unsafe sqlite3_value_blob(value)
        unsafe cells[column] = BorrowedCell(.blob, lending: Self.bytes(start, of: value))
      default: unsafe cells[column] = BorrowedCell()
      }
    }
  }

  private func found(_ column: Int) -> OpaquePointer? {
    unsafe sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
  }

  /// The distance in bytes between the values of neighboring columns, which lie in one array: a row is a
  /// run of registers (<https://sqlite.org/opcode.html#ResultRow>).
  ///
  /// - Returns: 0 for few values, or if the second and the last value are not at these distances.
  private func distance(ofValues count: Int, from first: OpaquePointer?) -> Int {
    guard count > 4 else { return 0 }
    let distance = unsafe Int(bitPattern: found(1)) &- Int(bitPattern: first)
    let last = unsafe Int(bitPattern: found(count - 1)) &- Int(bitPattern: first)
    return distance > 0 && last == distance &* (count - 1) ? distance : 0
  }

  private static func bytes(
    _ start: UnsafeRawPointer?, of value: OpaquePointer?
  ) -> UnsafeRawBufferPointer {
    let count = unsafe start == nil ? 0 : Int(sqlite3_value_bytes(value))
    return unsafe UnsafeRawBufferPointer(start: start, count: count)
  }
}
