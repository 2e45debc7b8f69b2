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

  /// The records, one after another.
  package fileprivate(set) var bytes: ContiguousArray<UInt8> = []
  /// Whether a value should be an integer but is not, so that its record has 0 instead.
  package fileprivate(set) var lacksIntegers = false
  /// Whether a row refers to an external file.
  package var refersToFiles = false

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

/// Receives the records of the rows that an export writes, table after table.
package protocol RowWitness: AnyObject {
  /// The columns of a table whose integers it wants; the number of columns represents the row number.
  func columns(of shape: TableLayout) -> [Int]

  /// Takes the records of the next rows of a table.
  func take(_ records: RowRecords, of shape: TableLayout) throws

  /// The unchanged parts of a table, and the ranges of rows that have to be read; nil to read all
  /// rows.
  func segments(of source: TableSource) -> [TableSegment]?

  /// Begins a segment of a table: all records until the next segment belong to it.
  func begin(segment: Int, of shape: TableLayout) throws

  /// Receives the digest of an unchanged file of the support folder.
  ///
  /// - Parameters:
  ///   - name: the name of its entry.
  ///   - identity: the result of ``SupportFolder/identity(of:)`` before it is read.
  /// - Returns: the digest; nil if the file has to be read.
  func digest(ofFile name: String, _ identity: [Int64]?) -> ArchiveDigest?

  /// Notes that a row refers to a missing file.
  func noteMissingFile()
}

/// A stretch of a table that has to be read, or that can be taken from an earlier state.
package enum TableSegment: Sendable, Equatable {
  case kept([KeptPart])
  case read(RowRange)

  /// Whether nothing has to be read.
  var isKept: Bool { if case .kept = self { true } else { false } }
}

/// A part that is not read, because it equals the part in an archive of an earlier state.
package struct KeptPart: Sendable, Equatable {
  /// An entry of the part.
  package struct Entry: Sendable, Equatable {
    /// The text after the number of the part in its name.
    package var ending: String
    /// The size of its content in bytes.
    package var size: Int
    /// The digest of its content.
    package var digest: ArchiveDigest

    /// Describes an entry.
    package init(ending: String, size: Int, digest: ArchiveDigest) {
      (self.ending, self.size, self.digest) = (ending, size, digest)
    }
  }

  /// Its entries, in the order of the archive.
  package var entries: [Entry]
  /// The number of its rows.
  package var rowCount: Int
  /// The number of the first row; nil if rows have none.
  package var firstKey: Int64?

  /// Describes a part.
  package init(entries: [Entry], rowCount: Int, firstKey: Int64?) {
    (self.entries, self.rowCount, self.firstKey) = (entries, rowCount, firstKey)
  }
}

/// The error if parts that were taken from an earlier state do not fit the rows that were read between them.
package struct KeptPartsMismatch: Error {
  /// Creates the error.
  package init() {}
}

/// Makes records of rows while they are encoded.
package struct RowRecorder {
  private let columns: [Int]
  private var records = RowRecords()
  /// The rows of the part with values that have entries of their own: where their digests are, and which
  /// values these are.
  private var unfinished: ContiguousArray<(offset: Int, values: Range<Int>)> = []
  /// The number of values of the part so far.
  private var valueCount = 0

  /// Prepares for a table.
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
