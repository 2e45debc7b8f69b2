/// Why a text is not the JSON that was expected, and at which byte.
package struct JSONError: Error, Equatable {
  /// The kind of a JSON error.
  package enum Kind: String, Sendable, CaseIterable {
    /// The text ends within a value.
    case unexpectedEnd = "unexpected end"
    /// An unexpected byte.
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
