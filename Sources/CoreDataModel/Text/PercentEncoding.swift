/// Names and paths with bytes encoded as `%` and two hexadecimal digits.
package enum PercentEncoding {
  /// Writes every byte that is not plain as `%` and two upper-case digits.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - isPlain: whether a byte needs no encoding; never true for `%`.
  /// - Returns: the encoded text.
  package static func encode(_ text: String, keeping isPlain: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte) {
        bytes.append(byte)
      } else {
        bytes += [
          UInt8(ascii: "%"), Hexadecimal.upperDigit(byte >> 4), Hexadecimal.upperDigit(byte & 15),
        ]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The decoded text; nil if a `%` is not followed by two digits, and for bytes that are not
  /// UTF-8.
  package static func decode(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst(), let low = rest.popFirst(),
          let value = Hexadecimal.byte(high, low)
        else { return nil }
        byte = value
      }
      bytes.append(byte)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Whether a byte is an ASCII letter or digit.
  package static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
}
