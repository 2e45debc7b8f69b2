/// UUIDs as text: `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
package enum UUIDText {
  /// The number of bytes of a UUID.
  package static let byteCount = 16
  /// The number of characters of its text.
  package static let textCount = 36

  /// Writes the 16 bytes that a text represents.
  ///
  /// Digits may be in either case. The bytes may be written over the text, from its beginning.
  ///
  /// - Returns: false when the text is not a UUID or there is no space for 16 bytes; `bytes` may
  ///   have been written to then.
  package static func parse(
    _ text: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard text.count == textCount, bytes.count >= byteCount,
      unsafe text[8] == 0x2D && text[13] == 0x2D && text[18] == 0x2D && text[23] == 0x2D,
      let first = unsafe Hexadecimal.bytes(ofDigits: digits(text, 0, 4)),
      let second = unsafe Hexadecimal.bytes(ofDigits: digits(text, 9, 14)),
      let third = unsafe Hexadecimal.bytes(ofDigits: digits(text, 19, 24)),
      let last = unsafe Hexadecimal.bytes(ofDigits: digits(text, 28, 32))
    else { return false }
    unsafe bytes.storeBytes(of: first.littleEndian, toByteOffset: 0, as: UInt32.self)
    unsafe bytes.storeBytes(of: second.littleEndian, toByteOffset: 4, as: UInt32.self)
    unsafe bytes.storeBytes(of: third.littleEndian, toByteOffset: 8, as: UInt32.self)
    unsafe bytes.storeBytes(of: last.littleEndian, toByteOffset: 12, as: UInt32.self)
    return true
  }

  /// Eight digits of a text, four from one place and four from another.
  private static func digits(_ text: UnsafeRawBufferPointer, _ low: Int, _ high: Int) -> UInt64 {
    let digits = unsafe (
      text.loadUnaligned(fromByteOffset: low, as: UInt32.self),
      text.loadUnaligned(fromByteOffset: high, as: UInt32.self)
    )
    return UInt64(digits.1.littleEndian) << 32 | UInt64(digits.0.littleEndian)
  }

  /// Writes the text of 16 bytes, in upper case.
  ///
  /// - Parameters:
  ///   - bytes: exactly ``byteCount`` bytes.
  ///   - output: space for ``textCount`` characters.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to output: UnsafeMutablePointer<UInt8>
  ) {
    precondition(bytes.count == byteCount, "a UUID has 16 bytes")
    var output = unsafe output
    for index in 0..<byteCount {
      if hasHyphen(before: index) {
        unsafe output[0] = 0x2D
        unsafe output += 1
      }
      let byte = unsafe bytes[index]
      unsafe output[0] = Hexadecimal.upperDigit(byte >> 4)
      unsafe output[1] = Hexadecimal.upperDigit(byte & 15)
      unsafe output += 2
    }
  }

  /// The 16 bytes of a text; nil if it is not a UUID.
  package static func bytes(_ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    let characters = Array(text.utf8)
    let isUUID = unsafe characters.withUnsafeBytes { source in
      unsafe bytes.withUnsafeMutableBytes { unsafe parse(source, into: $0) }
    }
    return isUUID ? bytes : nil
  }

  /// The text of 16 bytes in upper case; nil for any other number of bytes.
  package static func text(_ bytes: [UInt8]) -> String? {
    guard bytes.count == byteCount else { return nil }
    return unsafe String(unsafeUninitializedCapacity: textCount) { output in
      guard let start = output.baseAddress else { return 0 }
      unsafe bytes.withUnsafeBytes { unsafe write($0, to: start) }
      return textCount
    }
  }

  private static func hasHyphen(before index: Int) -> Bool {
    index == 4 || index == 6 || index == 8 || index == 10
  }
}
