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
  case string(JSONSlice)
  /// A number without `.`, `e` and `E`.
  case integer(Int64)
  /// A number with `.`, `e` or `E`.
  case real(Double)
  /// `true` or `false`
  case bool(Bool)
  case null
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
  /// The key in its written form: quoted, escaped, with its colon.
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

/// The reason why a text is not the expected JSON, with the position of the byte.
package struct JSONError: Error, Equatable {
  /// The kind of a JSON error.
  package enum Kind: String, Sendable, CaseIterable {
    /// The text ends within a value.
    case unexpectedEnd = "unexpected end"
    case unexpectedByte = "unexpected character"
    /// A number that is not written as JSON writes numbers.
    case invalidNumber = "invalid number"
    /// A number beyond the range of its type: 64-bit integers, finite doubles.
    case bigNumber = "number out of range"
    /// A backslash that begins no escape of JSON.
    case invalidEscape = "invalid escape sequence"
    /// Half of a surrogate pair without the other half.
    case loneSurrogate = "unpaired surrogate"
    /// A string that is not valid UTF-8.
    case invalidUTF8 = "invalid UTF-8"
    /// A control character that is not escaped.
    case controlCharacter = "control character in a string"
    /// More levels of arrays and objects than are allowed.
    case tooDeep = "nested too deeply"
    /// Something other than white space after the value.
    case trailingBytes = "data after the value"
    /// Two members of one object with the same key.
    case duplicateKey = "duplicate key"
    /// More bytes or values than are allowed.
    case tooLarge = "too large"
  }

  /// The kind of error.
  package var kind: Kind
  /// The offset of the byte where it was detected, from the beginning of the text.
  package var offset: Int

  /// Creates an error at an offset.
  package init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}
