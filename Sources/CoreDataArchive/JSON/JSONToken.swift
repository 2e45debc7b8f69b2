/// A part of a JSON text, in the order in which ``JSONScanner`` meets them.
package enum JSONToken: Sendable, Equatable {
  /// `{`
  case objectStart
  /// `}`
  case objectEnd
  /// `[`
  case arrayStart
  /// `]`
  case arrayEnd
  /// The key of a member; its value comes next.
  case key(JSONSlice)
  /// A string.
  case string(JSONSlice)
  /// A number without `.`, `e` and `E`.
  case integer(Int64)
  /// A number with `.`, `e` or `E`.
  case real(Double)
  /// `true` or `false`
  case bool(Bool)
  /// `null`
  case null
  /// The end of the text.
  case end
}

/// The place of a string's unescaped bytes in the text of its scanner.
///
/// Valid UTF-8, and valid until the scanner is given another text.
package struct JSONSlice: Sendable, Equatable {
  /// The offset of the first byte.
  package var start: Int
  /// The number of bytes.
  package var count: Int
}

/// A key that is expected often, prepared for writing and for comparing.
package struct JSONKey: Sendable, Equatable {
  /// The UTF-8 bytes of the key itself.
  package let name: ContiguousArray<UInt8>
  /// The key as it is written: quoted, escaped, with its colon.
  package let text: ContiguousArray<UInt8>

  /// Prepares a key.
  package init(_ name: String) {
    var buffer = JSONBuffer(minimumCapacity: 64)
    buffer.appendString(name)
    buffer.append(0x3A)
    self.name = ContiguousArray(name.utf8)
    self.text = unsafe buffer.withUnsafeBytes { unsafe ContiguousArray($0) }
  }
}

extension JSONBuffer {
  /// Appends a key with its colon.
  package mutating func append(_ key: JSONKey) { append(key.text) }
}
