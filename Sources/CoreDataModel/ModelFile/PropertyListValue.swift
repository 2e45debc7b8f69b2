/// A property list value, as a binary or XML property list holds it.
///
/// The entries of a dictionary keep the order of the source. Two NaN are not equal here.
package enum PropertyListValue: Sendable, Equatable {
  /// The null value, which only binary property lists can hold.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer of at most 64 bits.
  case integer(Int64)
  /// An integer of 128 bits that does not fit `Int64`, as its upper and lower half.
  case wideInteger(high: Int64, low: UInt64)
  /// A floating point number; numbers of 32 bits are widened.
  case real(Double)
  /// A point in time, in seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// A text; surrogates without a partner are replaced by U+FFFD.
  case string(String)
  /// A reference to an object of a keyed archive.
  case uid(UInt64)
  /// A list.
  case array([PropertyListValue])
  /// A set, in the order of the source; only binary property lists can hold one.
  case set([PropertyListValue])
  /// A dictionary, in the order of the source.
  case dictionary([Entry])

  /// A key of a dictionary with its value.
  package struct Entry: Sendable, Equatable {
    /// The key.
    package var key: String
    /// The value.
    package var value: PropertyListValue

    /// Creates an entry.
    package init(_ key: String, _ value: PropertyListValue) {
      self.key = key
      self.value = value
    }
  }

  /// Reads a whole property list: binary, or XML where the bytes begin with `<?xml` or `<plist`.
  ///
  /// - Throws: ``CofferError`` with `notAModel` for bytes of another kind, `damaged` for bytes that
  ///   contradict the format, `limit` where a bound of ``BinaryPlistReader`` is exceeded.
  package static func parse(_ bytes: [UInt8]) throws(CofferError) -> PropertyListValue {
    if isXML(bytes) { return try parseXML(bytes) }
    return try BinaryPlistReader(bytes).value()
  }

  /// The value of a key of a dictionary, the first where a key is repeated.
  ///
  /// Nil for a key that is missing and for every other kind of value. Linear in the number of
  /// entries.
  package subscript(key: String) -> PropertyListValue? {
    entries?.first { $0.key == key }?.value
  }

  /// The entries of a dictionary; nil for every other kind of value.
  package var entries: [Entry]? {
    if case .dictionary(let entries) = self { entries } else { nil }
  }

  /// The elements of an array or a set; nil for every other kind of value.
  package var elements: [PropertyListValue]? {
    switch self {
    case .array(let elements), .set(let elements): elements
    default: nil
    }
  }

  /// The text of a string; nil for every other kind of value.
  package var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number of an integer of at most 64 bits; nil for every other kind of value.
  package var integerValue: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The bytes of a data value; nil for every other kind of value.
  package var dataValue: [UInt8]? {
    if case .data(let bytes) = self { bytes } else { nil }
  }

  /// The truth value of a boolean; nil for every other kind of value.
  package var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }
}
