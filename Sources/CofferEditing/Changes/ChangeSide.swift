internal import CofferComparison
internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel

/// A row of a change file before or after its change.
///
/// An updated row has the key, the entity and the differing values; all others are NULL.
final class ChangeSide: RowCursor {
  let row: Row
  private let columnCount: Int
  /// The change file that it is from; nil if it was made in memory.
  private let archive: OpenArchive?
  private var elsewhere: [PlacedValue] = []
  /// The folder and the number of the part.
  var stem = ""

  init(_ row: Row? = nil, columnCount: Int, of archive: OpenArchive? = nil) {
    self.columnCount = columnCount
    self.row = row ?? Row(columnCount: columnCount)
    self.archive = archive
  }

  /// Empties the row.
  func clear() {
    row.clearBindings()
    if !elsewhere.isEmpty { elsewhere.removeAll() }
  }

  /// Notes a value that has its own entry.
  func add(_ value: OutOfLineValue) {
    row.bind(outOfLine: value)
    guard let archive else { return }
    elsewhere.append(PlacedValue(value: value, archive: archive, stem: stem))
  }

  /// The line contains the row.
  func advance() -> Bool { false }
  func load() {}

  func readValue(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    if let bytes = unsafe row.bytes(column) { return unsafe try body(bytes) }
    let place = place(of: column)
    if place?.value.isMarked ?? (row.firstByte(column) == 1) {
      unsafe try withUnsafeBytes(of: 1 as UInt8) { unsafe try body($0) }
    }
    if let bytes = unsafe row.payload(column) { return unsafe try body(bytes) }
    guard let place else { return }
    try unsafe place.archive.file.readPieces(of: place.entryName, body)
  }

  func digest(of column: Int, from offset: Int) throws -> ArchiveDigest {
    if let place = place(of: column), offset == (place.value.isMarked ? 1 : 0),
      let entry = place.archive.file.index[place.entryName]
    {
      return entry.digest
    }
    return try computedDigest(of: column, from: offset)
  }

  /// Checks that the entries of values exist; throws `damaged-archive` if one is missing or has another size.
  func requireValues() throws(CofferError) {
    for place in elsewhere {
      let entry = place.archive.file.index[place.entryName]
      guard entry?.size != place.value.length else { continue }
      throw CofferError(
        .damagedArchive, path: place.archive.path, entry: place.entryName,
        detail: entry == nil
          ? "a line refers to this entry, which is missing"
          : "its size differs from the one in its line")
    }
  }

  /// The place of a value that has its own entry; nil for any other.
  func place(of column: Int) -> PlacedValue? {
    elsewhere.first { Int($0.value.parameter) == column + 1 }
  }

  /// Reads the values that have their own entries.
  func loadValues() throws(CofferError) {
    for place in elsewhere {
      row.keep(try place.archive.file.read(place.entryName, limit: .textSize), of: place.value)
    }
  }

  // MARK: Copies

  /// A copy of the row that outlives its line.
  func copy() -> ChangeSide {
    let copy = ChangeSide(columnCount: columnCount, of: archive)
    for column in 0..<columnCount { copy.take(column, from: self) }
    copy.row.rowNumber = row.rowNumber
    return copy
  }

  func set(_ value: KeyValue, _ column: Int) {
    let parameter = Int32(clamping: column + 1)
    switch value {
    case .null: row.bindNull(parameter)
    case .integer(let number): row.bind(number, at: parameter)
    case .real(let number): row.bind(number, at: parameter)
    case .text(let bytes), .other(let bytes):
      var isText = false
      if case .text = value { isText = true }
      row.keep(
        ContiguousArray(bytes),
        of: OutOfLineValue(
          number: 0, parameter: parameter, length: bytes.count, isMarked: false, isText: isText,
          isReserved: false))
    }
  }

  /// Takes a value of another row.
  func take(_ column: Int, from other: ChangeSide) {
    take(column, from: other.row, other.place(of: column))
  }

  /// Copies a value of another row, whose bytes are in memory or in an entry.
  func take(_ column: Int, from other: Row, _ place: PlacedValue?) {
    elsewhere.removeAll { Int($0.value.parameter) == column + 1 }
    let parameter = Int32(clamping: column + 1)
    if let place {
      row.bind(outOfLine: place.value)
      return elsewhere.append(place)
    }
    switch other.storageClass(column) {
    case .null: row.bindNull(parameter)
    case .integer: row.bind(other.integer(column) ?? 0, at: parameter)
    case .real: row.bind(other.number(column) ?? 0, at: parameter)
    case .text, .blob:
      let isText = other.storageClass(column) == .text
      let isMarked = unsafe other.bytes(column) == nil
      let bytes = unsafe other.bytes(column) ?? other.payload(column)
      unsafe row.keep(
        ContiguousArray(bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)),
        of: OutOfLineValue(
          number: 0, parameter: parameter, length: bytes?.count ?? 0, isMarked: isMarked,
          isText: isText, isReserved: false))
    }
  }
}

/// Receives the values of a line of changes.
final class ChangeSink: ValueSink {
  /// The row before the change, and the row after it.
  let before: ChangeSide
  let after: ChangeSide
  private let keyColumns: Set<Int32>
  /// The rows that the values of the line belong to.
  private var isUpdate = false
  private var fillsBefore = false
  private var fillsAfter = false

  init(columnCount: Int, keyColumns: [Int], of archive: OpenArchive) {
    before = ChangeSide(columnCount: columnCount, of: archive)
    after = ChangeSide(columnCount: columnCount, of: archive)
    self.keyColumns = Set(keyColumns.map { Int32(clamping: $0) })
  }

  /// Empties both rows for the next line.
  func begin(_ word: ChangeWord) {
    clearBindings()
    isUpdate = word == .update
    fillsBefore = word != .insert && word != .replace
    fillsAfter = word != .delete
  }

  func expectsPair(of column: Int32) -> Bool {
    // The key of the row is the same before and after.
    isUpdate && !keyColumns.contains(column)
  }

  func turn(toAfter isAfter: Bool?) {
    fillsBefore = isAfter != true
    fillsAfter = isAfter != false
  }

  func clearBindings() {
    before.clear()
    after.clear()
  }

  private func fill(_ body: (ChangeSide) -> Void) {
    if fillsBefore { body(before) }
    if fillsAfter { body(after) }
  }

  func bindNull(_ parameter: Int32) { fill { $0.row.bindNull(parameter) } }
  func bind(_ value: Int64, at parameter: Int32) { fill { $0.row.bind(value, at: parameter) } }
  func bind(_ value: Double, at parameter: Int32) { fill { $0.row.bind(value, at: parameter) } }
  func bind(lentText bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    fill { unsafe $0.row.bind(lentText: bytes, at: parameter) }
  }
  func bind(lentBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    fill { unsafe $0.row.bind(lentBlob: bytes, at: parameter) }
  }
  func bind(markedBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    fill { unsafe $0.row.bind(markedBlob: bytes, at: parameter) }
  }
  func bind(outOfLine value: OutOfLineValue) { fill { $0.add(value) } }
}
