/// UUIDs as text: `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
package enum UUIDText {
  /// The number of bytes of a UUID.
  package static let byteCount = 16
  /// The number of characters of its text.
  static let textCount = 36

  /// Whether a hyphen precedes the byte at an index.
  static func hasHyphen(before index: Int) -> Bool {
    index == 4 || index == 6 || index == 8 || index == 10
  }

  /// Decodes a UUID text to 16 bytes.
  ///
  /// Digits may be in either case. The bytes may be written over the text, from its beginning.
  ///
  /// - Returns: false when the text is not a UUID or there is no room for 16 bytes; `bytes` may
  ///   have been written to then.
  package static func parse(
    _ text: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard text.count == textCount, bytes.count >= byteCount else { return false }
    var read = 0
    for index in 0..<byteCount {
      if hasHyphen(before: index) {
        guard unsafe text[read] == 0x2D else { return false }
        read += 1
      }
      guard let high = unsafe JSONBytes.hexValue(text[read]),
        let low = unsafe JSONBytes.hexValue(text[read + 1])
      else { return false }
      unsafe bytes[index] = high << 4 | low
      read += 2
    }
    return true
  }
}

extension JSONBuffer {
  /// Appends a UUID with its quotes, in upper case.
  ///
  /// - Returns: false when there are not exactly 16 bytes; nothing is written then.
  package mutating func appendUUID(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == UUIDText.byteCount else { return false }
    reserve(UUIDText.textCount + 2)
    var output = unsafe base + count
    unsafe output[0] = 0x22
    unsafe output += 1
    for index in 0..<UUIDText.byteCount {
      if UUIDText.hasHyphen(before: index) {
        unsafe output[0] = 0x2D
        unsafe output += 1
      }
      let byte = unsafe bytes[index]
      unsafe output[0] = HexDigits.upper(byte >> 4)
      unsafe output[1] = HexDigits.upper(byte & 15)
      unsafe output += 2
    }
    unsafe output[0] = 0x22
    count &+= UUIDText.textCount + 2
    return true
  }
}
