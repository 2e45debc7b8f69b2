/// A value of a row that waits to be inserted: a number itself, or the location of a text or blob.
struct DecodedValue: Sendable {
  /// The type and location of the value.
  enum Kind: UInt8, Sendable {
    case null
    case integer
    /// A floating point number, by its bits.
    case real
    case text
    case blob
    case textElsewhere
    case blobElsewhere
    /// A blob of the part's blobs, to be inserted with the marker of data in the row.
    case markedBlob
    /// A value that comes later, by its index in the row.
    case pending
  }

  /// The number, or the offset of the first byte.
  var bits: UInt64
  /// The number of bytes.
  var count: UInt32
  /// The column's index plus 1.
  var parameter: UInt16
  /// The type and location of the value.
  var kind: Kind

  init(_ kind: Kind, at parameter: Int32, bits: UInt64 = 0, count: Int = 0) {
    self.bits = bits
    self.count = UInt32(clamping: count)
    self.parameter = UInt16(clamping: parameter)
    self.kind = kind
  }
}

/// A value that has its own entry, with the place of the entry.
package struct PlacedValue {
  /// The value.
  package var value: OutOfLineValue
  /// The archive with the entry.
  package var archive: OpenArchive
  /// The folder and the number of the part.
  package var stem: String

  package init(value: OutOfLineValue, archive: OpenArchive, stem: String) {
    self.value = value
    self.archive = archive
    self.stem = stem
  }

  /// The name of the entry.
  package var entryName: String { "\(stem).\(value.name)" }
}
