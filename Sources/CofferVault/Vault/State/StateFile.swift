internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataPages
internal import POSIX

/// A file that remembers a state of a store, so that the next backup finds the changes without reading the
/// backup of this state.
///
/// It has the records of all rows, table after table and part after part; the digests of the pages and the
/// numbers of the leaves, if they are known; a ``StateDescription`` and its length in 8 bytes, the lowest
/// first; the length of all this but the records, likewise; and the SHA-256 digest of what follows the
/// records in hexadecimal digits. The description has the digests of the records, which are compared when
/// they are read. Only this machine reads it.
///
/// The first version had one length, the description's, and one digest over the whole file.
final class StateFile {
  let description: StateDescription
  /// The survey of the store's pages; nil if unknown.
  let pages: PageSurvey?
  /// The digest at the end of the file; nil if it is not complete.
  let seal: String?
  private let descriptor: Int32
  /// The object that closes the file instead; nil if it is this one.
  private let owner: StateFile?

  static let (lengthSize, digestSize) = (8, 64)
  /// The bytes that are read at once: few enough that their memory is used again, and not returned to the system.
  static let pieceSize = 1 << 16

  /// Gives access to the records in a file, which is closed with this object; without a seal, it is not
  /// complete.
  init(
    _ descriptor: Int32, _ description: StateDescription, _ pages: PageSurvey? = nil,
    seal: String? = nil
  ) {
    (self.descriptor, owner) = (descriptor, nil)
    self.description = description
    self.pages = pages
    self.seal = seal
  }

  /// Gives access to the same file as the state of a later backup.
  init(_ file: StateFile, as description: StateDescription) {
    (descriptor, owner) = (file.descriptor, file)
    (pages, seal) = (file.pages, file.seal)
    self.description = description
  }

  deinit { if owner == nil { FileIO.close(descriptor) } }

  /// Opens a file; nil if it is missing, damaged outside its records, or from another version.
  convenience init?(path: String) {
    guard let descriptor = try? FileBytes.openRegular(path) else { return nil }
    guard let (description, pages) = Self.description(in: descriptor),
      let size = FileIO.size(of: descriptor),
      let seal = try? FileBytes.read(descriptor, at: size - Self.digestSize, count: Self.digestSize)
    else {
      FileIO.close(descriptor)
      return nil
    }
    self.init(descriptor, description, pages, seal: String(decoding: seal, as: UTF8.self))
  }

  /// Whether the records of all parts are unchanged since they were written.
  var isWhole: Bool {
    for table in description.tables {
      guard let rows = rows(of: table.name.text, keyCount: 0) else { continue }
      do throws(CofferError) {
        while try rows.next() {}
      } catch {
        return false
      }
    }
    return true
  }

  /// The description in a file, and its record of pages.
  private static func description(in descriptor: Int32) -> (StateDescription, PageSurvey?)? {
    guard let size = FileIO.size(of: descriptor), size >= lengthSize + digestSize else {
      return nil
    }
    let end = size - digestSize
    guard let digest = try? FileBytes.read(descriptor, at: end, count: digestSize),
      let last = length(in: descriptor, before: end)
    else { return nil }
    // In the first version, there is only the length of the description.
    if Self.digest(of: descriptor, (end - lengthSize - last)..<end) == digest {
      let tailEnd = end - lengthSize
      guard let length = length(in: descriptor, before: tailEnd), length <= last - lengthSize,
        let description = description(in: descriptor, before: tailEnd - lengthSize, length)
      else { return nil }
      let start = tailEnd - last
      let pageBytes = last - lengthSize - length
      guard description.recordsSize == start, description.pages?.byteCount ?? 0 == pageBytes
      else { return nil }
      guard let pages = description.pages else { return (description, nil) }
      guard let bytes = try? FileBytes.read(descriptor, at: start, count: pageBytes),
        let survey = PageSurvey(pages, bytes)
      else { return nil }
      return (description, survey)
    }
    guard Self.digest(of: descriptor, 0..<end) == digest,
      let description = description(in: descriptor, before: end - lengthSize, last),
      description.pages == nil, description.tables.allSatisfy(\.parts.isEmpty),
      description.recordsSize == end - lengthSize - last
    else { return nil }
    return (description, nil)
  }

  /// The length in front of an offset; nil if there are too few bytes.
  private static func length(in descriptor: Int32, before end: Int) -> Int? {
    guard end >= lengthSize,
      let bytes = try? FileBytes.read(descriptor, at: end - lengthSize, count: lengthSize),
      let length = Int(exactly: bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }),
      length <= end - lengthSize
    else { return nil }
    return length
  }

  /// The description that ends before an offset.
  private static func description(
    in descriptor: Int32, before end: Int, _ length: Int
  ) -> StateDescription? {
    guard length <= end,
      let text = try? FileBytes.read(descriptor, at: end - length, count: length),
      let value = try? JSONValue.parse(text, limits: limits)
    else { return nil }
    return try? StateDescription(value)
  }

  /// The digest of a part of the file, in hexadecimal digits.
  private static func digest(of descriptor: Int32, _ range: Range<Int>) -> [UInt8]? {
    var hasher = ContentHasher()
    var position = range.lowerBound
    while position < range.upperBound {
      guard
        let piece = try? FileBytes.read(
          descriptor, at: position, count: min(pieceSize, range.upperBound - position)),
        !piece.isEmpty
      else { return nil }
      unsafe piece.withUnsafeBytes { unsafe hasher.update($0) }
      position += piece.count
    }
    return Array(hasher.digest.hex.utf8)
  }

  /// The file was written by this program, so it may have any number of files.
  private static let limits = JSONLimits(bytes: .max, depth: 8, values: .max)

  /// The records of a table, in all parts or some; nil if it has no rows.
  func rows(of table: String, keyCount: Int, in parts: Range<Int>? = nil) -> StateRows? {
    guard let (found, start) = place(of: table) else { return nil }
    let pieces = found.pieces(from: start)
    return StateRows(
      descriptor, of: self, parts.map { pieces[$0.clamped(to: pieces.indices)] } ?? pieces[...],
      integers: found.integerCount, keyCount: keyCount)
  }

  /// Passes the records of some parts of a table to a closure, as bytes that were not compared with their
  /// digests.
  func copyRecords(
    of table: String, in parts: Range<Int>, _ body: ([UInt8]) throws(CofferError) -> Void
  ) throws(CofferError) {
    guard let (found, start) = place(of: table) else { return }
    let pieces = found.pieces(from: start)
    let range = parts.clamped(to: pieces.indices)
    guard let first = pieces[range].first, let last = pieces[range].last else { return }
    var position = first.range.lowerBound
    while position < last.range.upperBound {
      let bytes: [UInt8]
      do throws(SystemError) {
        bytes = try FileBytes.read(
          descriptor, at: position, count: min(Self.pieceSize, last.range.upperBound - position))
      } catch {
        throw StateRows.failure(error.text)
      }
      guard !bytes.isEmpty else { throw StateRows.failure("it has become shorter") }
      try body(bytes)
      position += bytes.count
    }
  }

  /// A table, and where its records begin.
  private func place(of table: String) -> (StateDescription.Table, start: Int)? {
    var start = 0
    for found in description.tables {
      if found.name == Name(table) { return (found, start) }
      start &+= found.size ?? 0
    }
    return nil
  }
}

/// Records that are read at once, and their digest if one is known.
struct StatePiece {
  var range: Range<Int>
  var digest: PageDigest?
}

extension StateDescription {
  /// The bytes of all records; nil for an impossible number.
  fileprivate var recordsSize: Int? {
    var sum = 0
    for table in tables {
      let partRows = table.parts.reduce(0) { $0 &+ $1.rowCount }
      guard let size = table.size, table.parts.isEmpty || partRows == table.rowCount,
        table.parts.allSatisfy({ $0.rowCount <= table.rowCount })
      else { return nil }
      let (next, overflow) = sum.addingReportingOverflow(size)
      guard !overflow else { return nil }
      sum = next
    }
    return sum
  }
}

extension StateDescription.Table {
  /// The bytes of its records; nil for an impossible number.
  fileprivate var size: Int? {
    let (size, overflow) = rowCount.multipliedReportingOverflow(
      by: RowRecords.size(integers: integerCount))
    return overflow ? nil : size
  }

  /// Its records, as they are read.
  fileprivate func pieces(from start: Int) -> [StatePiece] {
    let recordSize = RowRecords.size(integers: integerCount)
    var position = start
    var pieces: [StatePiece] = []
    func add(_ rowCount: Int, _ digest: PageDigest?) {
      let end = position + rowCount * recordSize
      pieces.append(StatePiece(range: position..<end, digest: digest))
      position = end
    }
    for part in parts { add(part.rowCount, part.digest) }
    if parts.isEmpty {
      let most = max(1, StateFile.pieceSize / recordSize)
      for row in stride(from: 0, to: rowCount, by: most) { add(min(most, rowCount - row), nil) }
    }
    return pieces
  }
}

/// The records of a table, one after another.
final class StateRows {
  private(set) var integers: ContiguousArray<Int64>
  private(set) var digest: (UInt64, UInt64) = (0, 0)
  /// The number of integers in the key.
  let keyCount: Int

  private let file: StateFile
  private let descriptor: Int32
  private var pieces: ArraySlice<StatePiece>
  private var piece: [UInt8] = []
  private var offset = 0
  private var hasRow = false

  fileprivate init(
    _ descriptor: Int32, of file: StateFile, _ pieces: ArraySlice<StatePiece>,
    integers count: Int, keyCount: Int
  ) {
    self.descriptor = descriptor
    self.file = file
    self.pieces = pieces
    self.keyCount = min(keyCount, count)
    integers = ContiguousArray(repeating: 0, count: count)
  }

  /// Moves to the next row.
  ///
  /// - Returns: false after the last one.
  /// - Throws: ``CofferError`` with `temporary-storage-failed` if the file cannot be read, or its keys do
  ///   not ascend.
  func next() throws(CofferError) -> Bool {
    let size = RowRecords.size(integers: integers.count)
    while offset >= piece.count {
      guard let next = pieces.popFirst() else { return false }
      try read(next)
    }
    guard piece.count - offset >= size else { throw Self.failure("it has become shorter") }
    var ascends = !hasRow || keyCount == 0
    for index in integers.indices {
      let number = Int64(bitPattern: word(index))
      if !ascends, index < keyCount {
        guard number >= integers[index] else { throw Self.failure("its rows are out of order") }
        ascends = number > integers[index]
      }
      integers[index] = number
    }
    guard ascends else { throw Self.failure("a row comes twice") }
    digest = (word(integers.count), word(integers.count + 1))
    offset += size
    hasRow = true
    return true
  }

  /// Moves both to the last of the next rows that are the same in both, as far as both have them in memory.
  func skipSame(as other: StateRows) {
    guard integers.count == other.integers.count else { return }
    let size = RowRecords.size(integers: integers.count)
    let most = min(piece.count - offset, other.piece.count - other.offset) / size
    let (start, otherStart) = (offset, other.offset)
    let count = unsafe piece.withUnsafeBytes { bytes in
      unsafe other.piece.withUnsafeBytes { others in
        guard let base = bytes.baseAddress, let otherBase = others.baseAddress else { return 0 }
        var count = 0
        while count < most,
          unsafe memcmp(base + start + count * size, otherBase + otherStart + count * size, size)
            == 0
        { count += 1 }
        return count
      }
    }
    guard count > 0 else { return }
    for rows in [self, other] {
      rows.offset += (count - 1) * size
      for index in integers.indices { rows.integers[index] = Int64(bitPattern: rows.word(index)) }
      rows.digest = (rows.word(integers.count), rows.word(integers.count + 1))
      rows.offset += size
    }
  }

  private func read(_ next: StatePiece) throws(CofferError) {
    do throws(SystemError) {
      piece = try FileBytes.read(
        descriptor, at: next.range.lowerBound, count: next.range.count)
    } catch {
      throw Self.failure(error.text)
    }
    guard piece.count == next.range.count else { throw Self.failure("it has become shorter") }
    if let digest = next.digest,
      unsafe piece.withUnsafeBytes({ unsafe PageDigest(of: $0) }) != digest
    {
      throw Self.failure("its rows have changed since they were written")
    }
    offset = 0
  }

  private func word(_ index: Int) -> UInt64 {
    unsafe piece.withUnsafeBytes { bytes in
      unsafe UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8 * index, as: UInt64.self))
    }
  }

  fileprivate static func failure(_ detail: String) -> CofferError {
    CofferError(
      .temporaryStorageFailed, detail: "the file with the state of the store: \(detail)")
  }
}
