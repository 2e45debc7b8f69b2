package import CoreDataArchive
package import CoreDataLayout

/// Records that show which rows of a table have changed: one of fixed size per row, in the order of
/// the table, with integers, such as the key, and a digest.
///
/// A record has 8 bytes for each integer, the lowest first, then the 16 bytes of the digest. Two rows with
/// equal digests are the same row of an archive, values outside its line included.
package struct RowRecords: Sendable {
  /// The size of a digest in bytes.
  static let digestSize = 16

  /// The records, one after the other.
  package fileprivate(set) var bytes: ContiguousArray<UInt8> = []
  /// Whether a value that should be an integer is none, so that its record has 0 in its place.
  package fileprivate(set) var lacksIntegers = false

  /// The size of a record in bytes.
  package static func size(integers count: Int) -> Int { 8 * count + digestSize }

  fileprivate mutating func append(_ number: UInt64) {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  fileprivate mutating func append(_ digest: ArchiveDigest) {
    append(digest.firstHalf.high)
    append(digest.firstHalf.low)
  }
}

/// Learns what an export writes of the rows, table after table.
package protocol RowWitness: AnyObject {
  /// The columns of a table whose integers it wants; the number of columns represents the row number.
  func columns(of shape: TableLayout) -> [Int]

  /// Takes the records of the next rows of a table.
  ///
  /// - Throws: what ends the export.
  func take(_ records: RowRecords, of shape: TableLayout) throws
}

/// Makes records of rows as they are encoded.
package struct RowRecorder {
  private let columns: [Int]
  private var records = RowRecords()
  /// The rows of the part with values that have entries of their own: where their digests are, and which
  /// values these are.
  private var unfinished: ContiguousArray<(offset: Int, values: Range<Int>)> = []
  /// The number of values of the part so far.
  private var valueCount = 0

  /// Prepares for a table.
  ///
  /// - Parameter columns: the columns whose integers are recorded.
  package init(_ columns: [Int]) { self.columns = columns }

  /// Records the row that was encoded last.
  package mutating func add(_ row: Row, _ encoder: borrowing LineEncoder) {
    for column in columns {
      let number = row.integer(column)
      if number == nil { records.lacksIntegers = true }
      records.append(UInt64(bitPattern: number ?? 0))
    }
    let count = encoder.outOfLineValues.count
    if count > valueCount {
      unfinished.append((records.bytes.count, valueCount..<count))
      valueCount = count
    }
    records.append(encoder.rowDigest())
  }

  /// Adds the digest of a value with its own entry; the values of a part come in order.
  package mutating func add(_ digest: ArchiveDigest, ofValue number: Int) {
    while let first = unfinished.first, first.values.upperBound <= number {
      unfinished.removeFirst()
    }
    guard let first = unfinished.first, first.values.contains(number) else { return }
    let place = first.offset..<(first.offset + RowRecords.digestSize)
    var hasher = ContentHasher()
    unsafe records.bytes.withUnsafeBytes { bytes in
      unsafe hasher.update(UnsafeRawBufferPointer(rebasing: bytes[place]))
    }
    unsafe withUnsafeBytes(of: digest.firstHalf) { unsafe hasher.update($0) }
    var joined = RowRecords()
    joined.append(hasher.digest)
    records.bytes.replaceSubrange(place, with: joined.bytes)
  }

  /// Takes the records of a part, and begins the next one.
  package mutating func take() -> RowRecords {
    defer {
      records = RowRecords()
      records.bytes.reserveCapacity(1 << 16)
      unfinished.removeAll()
      valueCount = 0
    }
    return records
  }
}

extension LineEncoder {
  /// The digest of the latest line and its blobs, which does not depend on the rows before it.
  ///
  /// The line contains the lengths of its blobs, so that no two rows have the same bytes.
  fileprivate borrowing func rowDigest() -> ArchiveDigest {
    var hasher = ContentHasher()
    var start = lineStart
    let (texts, blobStart) = (movingTexts, blobStart)
    unsafe lines.withUnsafeBytes { bytes in
      for text in texts {
        unsafe hasher.update(UnsafeRawBufferPointer(rebasing: bytes[start..<text.lowerBound]))
        start = text.upperBound
      }
      unsafe hasher.update(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }
    if blobs.count > blobStart {
      unsafe blobs.withUnsafeBytes { bytes in
        unsafe hasher.update(UnsafeRawBufferPointer(rebasing: bytes[blobStart...]))
      }
    }
    return hasher.digest
  }
}
