internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Rows in a temporary file, which can be read again in any order.
///
/// A value that is too large for a line is kept as its size and its digest.
@safe final class SpilledRows: RowCursor {
  /// Where a row is in the file.
  struct Place {
    var offset: Int
    var size: Int
  }

  let row: Row
  private let columnCount: Int
  private let file: TemporaryFile
  private var buffer: ContiguousArray<UInt8> = []
  private var bytes = StableBytes()
  /// The digests of the values that were not kept, by column and number of bytes skipped.
  private var digests: [Int: [ArchiveDigest]] = [:]

  private static let bufferSize = 1 << 20

  init(columnCount: Int, temporaryFolder: String?) {
    row = Row(columnCount: columnCount)
    self.columnCount = columnCount
    file = TemporaryFile(in: temporaryFolder)
  }

  // MARK: Writing

  /// Adds the current row of a table.
  func append(_ rows: some RowCursor) throws -> Place {
    let start = buffer.count
    for column in 0..<columnCount { try append(rows, column) }
    let place = Place(offset: file.size + start, size: buffer.count - start)
    if buffer.count >= Self.bufferSize { try flush() }
    return place
  }

  /// Writes the rows that are still in memory, before the first row is read.
  func flush() throws {
    let pending = buffer
    buffer.removeAll(keepingCapacity: pending.count <= 2 * Self.bufferSize)
    _ = try unsafe pending.withUnsafeBytes { unsafe try file.append($0) }
  }

  /// The forms of a value in the file.
  private enum Form: UInt8 {
    case null, integer, real, text, blob, largeText, largeBlob
  }

  private func append(_ rows: some RowCursor, _ column: Int) throws {
    let row = rows.row
    switch row.storageClass(column) {
    case .null: buffer.append(Form.null.rawValue)
    case .integer: append(.integer, UInt64(bitPattern: row.integer(column) ?? 0))
    case .real: append(.real, (row.number(column) ?? 0).bitPattern)
    case let storage:
      let size = row.size(column)
      let isText = storage == .text
      if isText ? size > LineLimits.ownEntry : size >= LineLimits.outOfLine {
        append(isText ? .largeText : .largeBlob, UInt64(size))
        let first = row.firstByte(column) ?? 0
        buffer.append(first)
        for offset in 0...(first == 1 ? 1 : 0) {
          buffer.append(contentsOf: try rows.digest(of: column, from: offset).hex.utf8)
        }
      } else {
        append(isText ? .text : .blob, UInt64(size))
        try unsafe rows.readValue(column) { unsafe buffer.append(contentsOf: $0) }
      }
    }
  }

  private func append(_ form: Form, _ number: UInt64) {
    buffer.append(form.rawValue)
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe buffer.append(contentsOf: $0) }
  }

  // MARK: Reading

  func read(_ place: Place) throws(CofferError) {
    row.clearBindings()
    digests.removeAll(keepingCapacity: true)
    if bytes.count < place.size {
      bytes = StableBytes(ContiguousArray(repeating: 0, count: place.size * 2))
    }
    unsafe try file.read(at: place.offset, into: bytes.mutableBytes(0..<place.size))
    var reader = unsafe Reader(bytes: UnsafeRawBufferPointer(rebasing: bytes.bytes[..<place.size]))
    for column in 0..<columnCount { unsafe read(column, &reader) }
  }

  private func read(_ column: Int, _ reader: inout Reader) {
    let parameter = Int32(clamping: column + 1)
    let form = unsafe Form(rawValue: reader.byte()) ?? .null
    switch form {
    case .null: break
    case .integer: unsafe row.bind(Int64(bitPattern: reader.number()), at: parameter)
    case .real: unsafe row.bind(Double(bitPattern: reader.number()), at: parameter)
    case .text:
      let count = unsafe Int(clamping: reader.number())
      unsafe row.bind(lentText: reader.take(count), at: parameter)
    case .blob:
      let count = unsafe Int(clamping: reader.number())
      unsafe row.bind(lentBlob: reader.take(count), at: parameter)
    case .largeText, .largeBlob:
      let size = unsafe Int(clamping: reader.number())
      let first = unsafe reader.byte()
      row.setLarge(column, size: size, firstByte: first, isText: form == .largeText)
      digests[column] = (0...(first == 1 ? 1 : 0)).compactMap { _ in
        unsafe ArchiveDigest(hex: String(decoding: reader.take(64), as: UTF8.self))
      }
    }
  }

  /// A position in the bytes of a row.
  @unsafe private struct Reader {
    var bytes: UnsafeRawBufferPointer
    var place = 0

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
      let end = unsafe min(place + max(0, count), bytes.count)
      defer { unsafe place = end }
      return unsafe UnsafeRawBufferPointer(rebasing: bytes[place..<end])
    }

    mutating func byte() -> UInt8 { unsafe take(1).first ?? 0 }

    mutating func number() -> UInt64 {
      let part = unsafe take(8)
      guard part.count == 8 else { return 0 }
      return unsafe UInt64(littleEndian: part.loadUnaligned(as: UInt64.self))
    }
  }

  // MARK: Rows

  /// Does nothing: rows are read by their places.
  func advance() -> Bool { false }

  /// Does nothing: a row is complete when it was read.
  func load() {}

  func readValue(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    if let bytes = unsafe row.bytes(column) { unsafe try body(bytes) }
  }

  func digest(of column: Int, from offset: Int) throws -> ArchiveDigest {
    if let known = digests[column], offset < known.count { return known[offset] }
    return try computedDigest(of: column, from: offset)
  }
}
