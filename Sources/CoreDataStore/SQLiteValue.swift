/// One value of a database with its storage class, for small queries off the hot path.
package enum SQLiteValue: Sendable, Hashable {
  case null
  /// An integer of up to 64 bits.
  case integer(Int64)
  /// A floating point number; never NaN, which SQLite stores as NULL.
  case real(Double)
  /// A string, as its bytes: the encoding is UTF-8, but it may be invalid.
  case text([UInt8])
  case blob([UInt8])

  /// A text value.
  package static func string(_ text: String) -> SQLiteValue { .text(Array(text.utf8)) }

  /// The integer, or nil for every other storage class.
  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The text when it is valid UTF-8, or nil for every other value.
  package var string: String? {
    if case .text(let bytes) = self { String(validating: bytes, as: UTF8.self) } else { nil }
  }

  /// The bytes of a blob, or nil for every other storage class.
  package var blob: [UInt8]? {
    if case .blob(let bytes) = self { bytes } else { nil }
  }
}

/// The form of the values of attributes whose data may be in files: a marker, then the data itself, or
/// the name of a file.
///
/// Source: store-format, section 6.
package enum ExternalValue {
  /// The first byte of a value that has its data within.
  package static let inlineMarker: UInt8 = 1
  /// The first byte of a value whose data is in a file.
  package static let fileMarker: UInt8 = 2

  /// The name of the file that a value is in; nil for a value that is in no file.
  package static func fileName(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.count == 38, unsafe bytes[0] == fileMarker, unsafe bytes[37] == 0 else {
      return nil
    }
    return unsafe String(validating: bytes[1..<37], as: UTF8.self)
  }

  /// The name of the file that a value is in; nil for a value that is in no file.
  package static func fileName(_ value: SQLiteValue) -> String? {
    unsafe value.blob?.withUnsafeBytes { unsafe fileName($0) }
  }

  /// The value that is in a file.
  package static func inFile(named name: String) -> SQLiteValue {
    .blob([fileMarker] + Array(name.utf8) + [0])
  }
}
