package import CoreDataStore
internal import POSIX

/// The values of one row of a table by column, from any source.
///
/// The same object is refilled for each row.
///
/// Texts and blobs are borrowed until the next row. For a value that is too large to borrow, only
/// the size and the first byte are known, and its ``RowCursor`` reads it in pieces.
@safe package final class Row {
  /// The facts about a row in addition to its values, and the place of the values.
  @safe private struct Identity {
    var primaryKey: Int64?
    var entityNumber: Int64?
    var entity = UInt16.max
    var areTextsValid = false
    /// The values: its own, or a copied row's.
    var cells: UnsafePointer<BorrowedCell>
    /// The beginning of the bytes that a row was copied with; 0 where places are addresses.
    var base: UInt = 0
  }

  private let count: Int
  private let own: UnsafeMutablePointer<BorrowedCell>
  /// In separate memory, like the values: it is read often, for each row, and each access to a mutable
  /// property would be checked for exclusivity.
  private let identity: UnsafeMutablePointer<Identity>
  /// The bytes of values that the reader cannot lend, kept until the next row.
  private var kept: [StableBytes] = []
  /// Whether there are any: asking for that costs less than looking into the array, for each row.
  private var hasKept = false

  /// Creates a row for a table.
  ///
  /// - Parameter columnCount: the number of columns. There is space for one more value, the row
  ///   number if no column contains it.
  package init(columnCount: Int) {
    count = columnCount + 1
    unsafe own = .allocate(capacity: count)
    unsafe own.initialize(repeating: BorrowedCell(), count: count)
    unsafe identity = .allocate(capacity: 1)
    unsafe identity.initialize(to: Identity(cells: UnsafePointer(own)))
  }

  deinit {
    unsafe identity.deallocate()
    unsafe own.deinitialize(count: count)
    unsafe own.deallocate()
  }

  /// The primary key; nil if the row has none or it is not an integer.
  package var primaryKey: Int64? {
    get { unsafe identity.pointee.primaryKey }
    set { unsafe identity.pointee.primaryKey = newValue }
  }

  /// The entity number of an object; nil if it has none or it is not an integer.
  var entityNumber: Int64? {
    get { unsafe identity.pointee.entityNumber }
    set { unsafe identity.pointee.entityNumber = newValue }
  }

  /// The index of the entity of an object, if someone sets it; otherwise the largest number.
  package var entity: UInt16 {
    get { unsafe identity.pointee.entity }
    set { unsafe identity.pointee.entity = newValue }
  }

  /// Whether all texts are known to be valid UTF-8; false if that was not checked.
  var areTextsValid: Bool {
    get { unsafe identity.pointee.areTextsValid }
    set { unsafe identity.pointee.areTextsValid = newValue }
  }

  /// The number of columns, with the one for the row number.
  var columnCount: Int { count }

  private subscript(_ column: Int) -> BorrowedCell {
    precondition(column >= 0 && column < count, "no such column")
    return unsafe identity.pointee.cells[column]
  }

  /// The storage class of a value.
  package func storageClass(_ column: Int) -> StorageClass { self[column].storageClass }

  /// Whether the value is NULL.
  package func isNull(_ column: Int) -> Bool {
    // A comparison with == would call another module through a witness table.
    if case .null = self[column].storageClass { true } else { false }
  }

  /// The integer; nil for other storage classes.
  package func integer(_ column: Int) -> Int64? {
    let cell = self[column]
    guard case .integer = cell.storageClass else { return nil }
    return cell.bits
  }

  /// The integer or floating point number; nil for other storage classes.
  package func number(_ column: Int) -> Double? {
    let cell = self[column]
    switch cell.storageClass {
    case .integer: return Double(cell.bits)
    case .real: return Double(bitPattern: UInt64(bitPattern: cell.bits))
    default: return nil
    }
  }

  /// The number of bytes of a text or blob; 0 for other storage classes.
  package func size(_ column: Int) -> Int { self[column].size }

  /// The first byte of a text or blob; nil for other storage classes, and if it is empty.
  package func firstByte(_ column: Int) -> UInt8? {
    let cell = self[column]
    return cell.size > 0 ? cell.firstByte : nil
  }

  /// The bytes of a text or blob; nil for other storage classes, and if it is too large.
  package func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    let cell = self[column]
    guard cell.isBorrowed else { return nil }
    return unsafe UnsafeRawBufferPointer(start: start(of: cell), count: cell.size)
  }

  /// The bytes of a blob after its first byte, which is a marker; nil for other storage classes,
  /// and if the blob is empty or too large.
  package func payload(_ column: Int) -> UnsafeRawBufferPointer? {
    let cell = self[column]
    guard case .blob = cell.storageClass, cell.size > 0, let start = unsafe start(of: cell) else {
      return nil
    }
    // If the marker was added separately, the bytes are borrowed without it.
    let offset = cell.isBorrowed ? 1 : 0
    return unsafe UnsafeRawBufferPointer(start: start + offset, count: cell.size - 1)
  }

  /// The text; nil for other storage classes, and if it is too large.
  ///
  /// Invalid UTF-8 becomes U+FFFD.
  package func text(_ column: Int) -> String? {
    guard case .text = storageClass(column), let bytes = unsafe bytes(column) else { return nil }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a value is identical to one of another row.
  ///
  /// - Returns: nil if they are texts or blobs that must be read to decide.
  package func isSame(_ column: Int, as other: Row, _ otherColumn: Int) -> Bool? {
    let (cell, otherCell) = (self[column], other[otherColumn])
    guard cell.storageClass.rawValue == otherCell.storageClass.rawValue,
      cell.size == otherCell.size
    else { return false }
    switch cell.storageClass {
    case .null, .integer, .real: return cell.bits == otherCell.bits
    case .text, .blob: if cell.size == 0 { return true }
    }
    if cell.isBorrowed, otherCell.isBorrowed {
      guard let start = unsafe start(of: cell), let otherStart = unsafe other.start(of: otherCell)
      else { return nil }
      return unsafe memcmp(start, otherStart, cell.size) == 0
    }
    guard let payload = unsafe payload(column), let start = payload.baseAddress,
      let other = unsafe other.payload(otherColumn), let otherStart = other.baseAddress
    else { return nil }
    return unsafe cell.firstByte == otherCell.firstByte
      && memcmp(start, otherStart, payload.count) == 0
  }

  /// Sets a value that has its own entry, and keeps its bytes until the next row.
  package func keep(_ bytes: ContiguousArray<UInt8>, of value: OutOfLineValue) {
    let copy = StableBytes(bytes)
    kept.append(copy)
    (hasKept, areTextsValid) = (true, false)
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
  package var rowNumber: Int64? {
    get { integer(count - 1) }
    set { set(count - 1, newValue.map { BorrowedCell(.integer, bits: $0) } ?? BorrowedCell()) }
  }

  private func set(_ column: Int, _ cell: BorrowedCell) {
    precondition(column >= 0 && column < count, "no such column")
    unsafe own[column] = cell
  }

  /// The values, for the time of a closure.
  func withCells<T>(_ body: (UnsafeBufferPointer<BorrowedCell>) throws -> T) rethrows -> T {
    try unsafe body(UnsafeBufferPointer(start: identity.pointee.cells, count: count))
  }

  /// Takes the values of a copied row until there are others.
  func lend(
    _ cells: UnsafeBufferPointer<BorrowedCell>, _ row: Int, _ bytes: UnsafeRawBufferPointer
  ) {
    let start = row &* count
    precondition(start >= 0 && start &+ count <= cells.count, "no such row")
    unsafe identity.pointee.cells = cells.baseAddress.map { unsafe $0 + start } ?? .init(own)
    unsafe identity.pointee.base = UInt(bitPattern: bytes.baseAddress)
    unsafe identity.pointee.areTextsValid = false
  }

  /// Uses its own values, not a copied row's.
  private func returnCells() {
    unsafe identity.pointee.cells = UnsafePointer(own)
    unsafe identity.pointee.base = 0
  }

  /// The beginning of the bytes of a text or blob; nil if they are not here.
  private func start(of cell: BorrowedCell) -> UnsafeRawPointer? {
    guard let place = cell.place else { return nil }
    return unsafe UnsafeRawPointer(bitPattern: identity.pointee.base &+ place)
  }

  func read(_ columnCount: Int, from statement: borrowing SQLiteStatement) {
    unsafe identity.pointee.areTextsValid = false
    precondition(columnCount >= 0 && columnCount < count, "no such columns")
    unsafe statement.read(into: own, count: columnCount)
  }

  /// Sets a value with only its size and its first byte known.
  package func setLarge(_ column: Int, size: Int, firstByte: UInt8, isText: Bool = false) {
    set(column, BorrowedCell(isText ? .text : .blob, size: max(0, size), firstByte: firstByte))
  }

  /// A copy of a value, for small tables; empty bytes if it is too large to borrow.
  package func value(_ column: Int) -> SQLiteValue {
    switch storageClass(column) {
    case .null: .null
    case .integer: .integer(integer(column) ?? 0)
    case .real: .real(number(column) ?? 0)
    case .text: unsafe .text(Array(bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)))
    case .blob: unsafe .blob(Array(bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)))
    }
  }
}

/// Receives the values of a line of an archive.
extension Row: ValueSink {
  package func clearBindings() {
    if hasKept { giveUpKept() }
    returnCells()
    unsafe own.update(repeating: BorrowedCell(), count: count)
  }

  package func bindNull(_ parameter: Int32) { set(Int(parameter) - 1, BorrowedCell()) }

  package func bind(_ value: Int64, at parameter: Int32) {
    set(Int(parameter) - 1, BorrowedCell(.integer, bits: value))
  }

  package func bind(_ value: Double, at parameter: Int32) {
    // SQLite stores NaN as NULL.
    if value.isNaN { return bindNull(parameter) }
    set(Int(parameter) - 1, BorrowedCell(.real, bits: Int64(bitPattern: value.bitPattern)))
  }

  package func bind(lentText bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    unsafe set(Int(parameter) - 1, BorrowedCell(.text, lending: bytes))
  }

  package func bind(lentBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    unsafe set(Int(parameter) - 1, BorrowedCell(.blob, lending: bytes))
  }

  package func bind(markedBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    unsafe set(Int(parameter) - 1, BorrowedCell(marking: bytes))
  }

  package func bind(outOfLine value: OutOfLineValue) {
    let size = value.length.addingReportingOverflow(value.isMarked ? 1 : 0).partialValue
    // A value that is elsewhere and has no marker does not begin with a meaningful one.
    setLarge(
      Int(value.parameter) - 1, size: size, firstByte: value.isMarked ? 1 : 0,
      isText: value.isText)
  }
}
