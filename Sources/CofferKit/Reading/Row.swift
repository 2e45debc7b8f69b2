internal import CoreDataStore
internal import POSIX

/// The values of one row of a table, by column, wherever they come from: the same object is filled
/// anew for each row.
///
/// Texts and blobs are lent: they stay where they are until the next row. Of a value that is too
/// large to be lent, the size and the first byte are known, and its ``RowCursor`` reads it in pieces.
@safe final class Row {
  /// The primary key; nil where the row has none that is an integer.
  var primaryKey: Int64?
  /// The number of the entity of an object; nil where it has none that is an integer.
  var entityNumber: Int64?
  /// The index of the entity of an object, where somebody gives it one; the largest number otherwise.
  var entity = UInt16.max
  private let count: Int
  private let cells: UnsafeMutablePointer<BorrowedCell>
  /// The bytes of values that were too large to be lent by whoever reads, until the next row.
  private var kept: [StableBytes] = []
  /// Whether there are any: asking for that costs less than looking into the array, for each row.
  private var hasKept = false

  /// Makes room for the rows of a table.
  ///
  /// - Parameter columnCount: how many columns the table has; one more value has room, the number of
  ///   a row that no column holds.
  init(columnCount: Int) {
    count = columnCount + 1
    unsafe cells = .allocate(capacity: count)
    unsafe cells.initialize(repeating: BorrowedCell(), count: count)
  }

  deinit {
    unsafe cells.deinitialize(count: count)
    unsafe cells.deallocate()
  }

  private subscript(_ column: Int) -> BorrowedCell {
    precondition(column >= 0 && column < count, "no such column")
    return unsafe cells[column]
  }

  /// The storage class of a value.
  func storageClass(_ column: Int) -> StorageClass { self[column].storageClass }

  /// Whether there is no value.
  func isNull(_ column: Int) -> Bool {
    // A comparison with == would call through a table of another module.
    if case .null = self[column].storageClass { true } else { false }
  }

  /// The integer; nil for every other storage class.
  func integer(_ column: Int) -> Int64? {
    let cell = self[column]
    guard case .integer = cell.storageClass else { return nil }
    return cell.bits
  }

  /// The integer or floating point number; nil for every other storage class.
  func number(_ column: Int) -> Double? {
    let cell = self[column]
    switch cell.storageClass {
    case .integer: return Double(cell.bits)
    case .real: return Double(bitPattern: UInt64(bitPattern: cell.bits))
    default: return nil
    }
  }

  /// The number of bytes of a text or blob; 0 for every other storage class.
  func size(_ column: Int) -> Int { self[column].size }

  /// The first byte of a text or blob; nil for every other storage class and where there is none.
  func firstByte(_ column: Int) -> UInt8? {
    let cell = self[column]
    return cell.size > 0 ? cell.firstByte : nil
  }

  /// The bytes of a text or blob; nil for every other storage class and for values that are too large.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    let cell = self[column]
    guard cell.isBorrowed else { return nil }
    return unsafe UnsafeRawBufferPointer(start: cell.start, count: cell.size)
  }

  /// The bytes of a blob behind its first byte, which is a marker; nil for every other storage class,
  /// for blobs without any byte and for values that are too large.
  func payload(_ column: Int) -> UnsafeRawBufferPointer? {
    let cell = self[column]
    guard case .blob = cell.storageClass, cell.size > 0, let start = unsafe cell.start else {
      return nil
    }
    // Of a marker that was put before them, the bytes are lent without it.
    let offset = cell.isBorrowed ? 1 : 0
    return unsafe UnsafeRawBufferPointer(start: start + offset, count: cell.size - 1)
  }

  /// The text; nil for every other storage class and for one that is too large.
  ///
  /// What is not valid UTF-8 becomes U+FFFD.
  func text(_ column: Int) -> String? {
    guard case .text = storageClass(column), let bytes = unsafe bytes(column) else { return nil }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a value is the same as one of another row, to the bit.
  ///
  /// - Returns: nil where they are texts or blobs that have to be read to tell.
  func isSame(_ column: Int, as other: Row, _ otherColumn: Int) -> Bool? {
    let (cell, otherCell) = (self[column], other[otherColumn])
    guard cell.storageClass.rawValue == otherCell.storageClass.rawValue,
      cell.bits == otherCell.bits, cell.size == otherCell.size
    else { return false }
    if cell.size == 0 { return true }
    if cell.isBorrowed, otherCell.isBorrowed {
      guard let start = unsafe cell.start, let otherStart = unsafe otherCell.start else {
        return nil
      }
      return unsafe memcmp(start, otherStart, cell.size) == 0
    }
    guard let payload = unsafe payload(column), let start = payload.baseAddress,
      let other = unsafe other.payload(otherColumn), let otherStart = other.baseAddress
    else { return nil }
    return unsafe cell.firstByte == otherCell.firstByte
      && memcmp(start, otherStart, payload.count) == 0
  }

  /// Takes a value that is an entry of its own, and keeps its bytes until the next row.
  func keep(_ bytes: ContiguousArray<UInt8>, of value: PendingValue) {
    let copy = StableBytes(bytes)
    kept.append(copy)
    hasKept = true
    let lent = unsafe copy.bytes
    if value.isMarked {
      unsafe bind(markedBlob: lent, at: value.parameter)
    } else if value.isText {
      unsafe bind(lentText: lent, at: value.parameter)
    } else {
      unsafe bind(lentBlob: lent, at: value.parameter)
    }
  }

  private func giveUpKept() {
    kept = []
    hasKept = false
  }

  /// The number of a row that no column holds; nil where the table has none.
  var rowNumber: Int64? {
    get { integer(count - 1) }
    set { set(count - 1, newValue.map { BorrowedCell(.integer, bits: $0) } ?? BorrowedCell()) }
  }

  private func set(_ column: Int, _ cell: BorrowedCell) {
    precondition(column >= 0 && column < count, "no such column")
    unsafe cells[column] = cell
  }

  /// Takes the values of the first columns from a statement that stands at a row.
  func read(_ columnCount: Int, from statement: borrowing SQLiteStatement) {
    precondition(columnCount >= 0 && columnCount < count, "no such columns")
    unsafe statement.read(into: cells, count: columnCount)
  }

  /// Takes a value of which only the size and the first byte are known.
  func setLarge(_ column: Int, size: Int, firstByte: UInt8, isText: Bool = false) {
    set(column, BorrowedCell(isText ? .text : .blob, size: max(0, size), firstByte: firstByte))
  }
}

extension Row {
  /// A copy of a value, for small tables; empty bytes for one that is too large to be lent.
  func value(_ column: Int) -> SQLiteValue {
    switch storageClass(column) {
    case .null: .null
    case .integer: .integer(integer(column) ?? 0)
    case .real: .real(number(column) ?? 0)
    case .text: unsafe .text(Array(bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)))
    case .blob: unsafe .blob(Array(bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)))
    }
  }
}

/// The values of a line of an archive.
extension Row: ValueSink {
  func clearBindings() {
    if hasKept { giveUpKept() }
    unsafe cells.update(repeating: BorrowedCell(), count: count)
  }

  func bindNull(_ parameter: Int32) { set(Int(parameter) - 1, BorrowedCell()) }

  func bind(_ value: Int64, at parameter: Int32) {
    set(Int(parameter) - 1, BorrowedCell(.integer, bits: value))
  }

  func bind(_ value: Double, at parameter: Int32) {
    // SQLite stores what is not a number as NULL.
    if value.isNaN { return bindNull(parameter) }
    set(Int(parameter) - 1, BorrowedCell(.real, bits: Int64(bitPattern: value.bitPattern)))
  }

  func bind(lentText bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    unsafe set(Int(parameter) - 1, BorrowedCell(.text, lending: bytes))
  }

  func bind(lentBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    unsafe set(Int(parameter) - 1, BorrowedCell(.blob, lending: bytes))
  }

  func bind(markedBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    var cell = BorrowedCell(.blob, size: bytes.count + 1, firstByte: 1)
    unsafe cell.start = bytes.baseAddress
    set(Int(parameter) - 1, cell)
  }

  func bind(pending value: PendingValue) {
    let size = value.length.addingReportingOverflow(value.isMarked ? 1 : 0).partialValue
    // A value that stands elsewhere without a marker does not begin with one that means anything.
    setLarge(
      Int(value.parameter) - 1, size: size, firstByte: value.isMarked ? 1 : 0,
      isText: value.isText)
  }
}
