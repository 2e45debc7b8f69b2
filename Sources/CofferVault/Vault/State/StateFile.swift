internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import POSIX

/// A file in which a state of a store is remembered, so that the next backup finds out what changed without
/// reading this one.
///
/// It has the records of all rows, table after table, then a ``StateDescription``, its length in 8 bytes, the
/// lowest first, and the SHA-256 digest of all this in hexadecimal digits. Nobody but this machine reads it.
final class StateFile {
  let description: StateDescription
  private let descriptor: Int32

  /// The bytes of the length and of the digest.
  static let (lengthSize, digestSize) = (8, 64)
  /// The bytes that are read at once.
  private static let pieceSize = 1 << 18

  /// Gives access to the records in a file.
  ///
  /// - Parameters:
  ///   - descriptor: the file, which is closed with this object.
  ///   - description: what it holds.
  init(_ descriptor: Int32, _ description: StateDescription) {
    self.descriptor = descriptor
    self.description = description
  }

  deinit { FileIO.close(descriptor) }

  /// Opens a file; nil if it is not there, not whole, or from another version.
  convenience init?(path: String) {
    guard let descriptor = try? FileBytes.openRegular(path) else { return nil }
    guard let description = Self.description(in: descriptor) else {
      FileIO.close(descriptor)
      return nil
    }
    self.init(descriptor, description)
  }

  /// The description in a file that is whole.
  private static func description(in descriptor: Int32) -> StateDescription? {
    guard let size = FileIO.size(of: descriptor), size >= lengthSize + digestSize else {
      return nil
    }
    let end = size - digestSize
    var hasher = ContentHasher()
    var position = 0
    while position < end {
      guard
        let piece = try? FileBytes.read(
          descriptor, at: position, count: min(pieceSize, end - position)), !piece.isEmpty
      else { return nil }
      unsafe piece.withUnsafeBytes { unsafe hasher.update($0) }
      position += piece.count
    }
    guard
      (try? FileBytes.read(descriptor, at: end, count: digestSize))
        == Array(hasher.digest.hex.utf8),
      let bytes = try? FileBytes.read(descriptor, at: end - lengthSize, count: lengthSize)
    else { return nil }
    let length = bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    guard let length = Int(exactly: length), length <= end - lengthSize,
      let text = try? FileBytes.read(
        descriptor, at: end - lengthSize - length, count: length),
      let value = try? JSONValue.parse(text, limits: limits),
      let description = try? StateDescription(value),
      description.recordsSize == end - lengthSize - length
    else { return nil }
    return description
  }

  /// What one writes, one reads: there may be as many files as there can be.
  private static let limits = JSONLimits(bytes: .max, depth: 8, values: .max)

  /// The records of a table.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - keyCount: how many of the integers are the key, by which the rows ascend.
  /// - Returns: the records; nil if it has no rows.
  func rows(of table: String, keyCount: Int) -> StateRows? {
    var start = 0
    for found in description.tables {
      let end = start &+ (found.size ?? 0)
      if found.name.text.hasSameBytes(as: table) {
        return StateRows(
          descriptor, of: self, start..<max(start, end), integers: found.integerCount,
          keyCount: keyCount)
      }
      start = end
    }
    return nil
  }
}

extension StateDescription {
  /// The bytes of all records; nil if there cannot be so many.
  fileprivate var recordsSize: Int? {
    var sum = 0
    for table in tables {
      guard let size = table.size else { return nil }
      let (next, overflow) = sum.addingReportingOverflow(size)
      guard !overflow else { return nil }
      sum = next
    }
    return sum
  }
}

extension StateDescription.Table {
  /// The bytes of its records; nil if there cannot be so many.
  fileprivate var size: Int? {
    let (size, overflow) = rowCount.multipliedReportingOverflow(
      by: RowRecords.size(integers: integerCount))
    return overflow ? nil : size
  }
}

/// The records of a table, one after another.
final class StateRows {
  /// The integers of the current row.
  private(set) var integers: ContiguousArray<Int64>
  /// The digest of the current row.
  private(set) var digest: (UInt64, UInt64) = (0, 0)
  /// How many of the integers are the key.
  let keyCount: Int

  private let file: StateFile
  private let descriptor: Int32
  private var position: Int
  private let end: Int
  private var piece: [UInt8] = []
  private var offset = 0
  private var hasRow = false

  /// About the bytes that are read at once.
  private static let pieceSize = 1 << 18

  fileprivate init(
    _ descriptor: Int32, of file: StateFile, _ range: Range<Int>, integers count: Int,
    keyCount: Int
  ) {
    self.descriptor = descriptor
    self.file = file
    self.keyCount = min(keyCount, count)
    (position, end) = (range.lowerBound, range.upperBound)
    integers = ContiguousArray(repeating: 0, count: count)
  }

  /// Moves to the next row.
  ///
  /// - Returns: false after the last one.
  /// - Throws: ``CofferError`` with `temporary-storage-failed` if the file cannot be read, or its keys do
  ///   not ascend.
  func next() throws(CofferError) -> Bool {
    let size = RowRecords.size(integers: integers.count)
    if offset >= piece.count {
      guard position < end else { return false }
      try readPiece(of: max(1, Self.pieceSize / size) * size)
    }
    guard piece.count - offset >= size else { throw Self.failure("it is shorter than it was") }
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

  private func readPiece(of size: Int) throws(CofferError) {
    do throws(SystemError) {
      piece = try FileBytes.read(descriptor, at: position, count: min(size, end - position))
    } catch {
      throw Self.failure(error.text)
    }
    position += piece.count
    offset = 0
  }

  private func word(_ index: Int) -> UInt64 {
    unsafe piece.withUnsafeBytes { bytes in
      unsafe UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8 * index, as: UInt64.self))
    }
  }

  private static func failure(_ detail: String) -> CofferError {
    CofferError(
      .temporaryStorageFailed, detail: "the file with the state of the store: \(detail)")
  }
}
