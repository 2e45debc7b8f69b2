/// One value of a database with its storage class, for small queries off the hot path.
package enum SQLiteValue: Sendable, Hashable {
  /// No value.
  case null
  /// An integer of up to 64 bits.
  case integer(Int64)
  /// A floating point number; never NaN, which SQLite stores as NULL.
  case real(Double)
  /// A string, as its bytes: the encoding is UTF-8, but it may be invalid.
  case text([UInt8])
  /// Bytes.
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
