/// Bytes as base64 text: the standard alphabet with padding (RFC 4648, section 4).
package enum Base64Text {
  /// The 64 characters of the alphabet, in order.
  static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// Decodes a text to bytes.
  ///
  /// Only the canonical text is accepted: no white space, no missing padding, no bits set after the
  /// last byte. The bytes may overwrite the text from its beginning.
  ///
  /// - Returns: the number of bytes; nil when the text is not base64 or there is no space for
  ///   three bytes per four characters. `bytes` may have been written to then.
  package static func decode(
    _ text: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer
  ) -> Int? {
    let groups = text.count / 4
    guard text.count % 4 == 0, bytes.count >= groups * 3 else { return nil }
    if groups == 0 { return 0 }
    var (read, written) = (0, 0)
    let table = sextets
    for _ in 0..<(groups - 1) {
      let (a, b) = unsafe (table[Int(text[read])], table[Int(text[read &+ 1])])
      let (c, d) = unsafe (table[Int(text[read &+ 2])], table[Int(text[read &+ 3])])
      guard (a | b | c | d) & 0x80 == 0 else { return nil }
      let word = UInt32(a) << 18 | UInt32(b) << 12 | UInt32(c) << 6 | UInt32(d)
      unsafe bytes[written] = UInt8(truncatingIfNeeded: word >> 16)
      unsafe bytes[written &+ 1] = UInt8(truncatingIfNeeded: word >> 8)
      unsafe bytes[written &+ 2] = UInt8(truncatingIfNeeded: word)
      read &+= 4
      written &+= 3
    }
    let padding = unsafe text[read + 3] != 0x3D ? 0 : text[read + 2] != 0x3D ? 1 : 2
    guard let word = unsafe lastWord(text, at: read, characters: 4 - padding) else { return nil }
    let used = 3 - padding
    guard word & ((1 << UInt32(8 * padding)) - 1) == 0 else { return nil }
    for index in 0..<used {
      unsafe bytes[written + index] = UInt8(truncatingIfNeeded: word >> UInt32(16 - 8 * index))
    }
    return written + used
  }

  /// The 24 bits of the last group, which ends with padding.
  private static func lastWord(
    _ text: UnsafeRawBufferPointer, at offset: Int, characters: Int
  ) -> UInt32? {
    var word: UInt32 = 0
    var invalid: UInt8 = 0
    for index in 0..<characters {
      let value = unsafe sextet(text[offset &+ index])
      invalid |= value
      word |= UInt32(value & 63) << UInt32(truncatingIfNeeded: 18 &- 6 &* index)
    }
    return invalid & 0x80 == 0 ? word : nil
  }

  /// The value of a character; 0x80 for one that is not in the alphabet.
  private static func sextet(_ character: UInt8) -> UInt8 { sextets[Int(character)] }

  private static let sextets: [UInt8] = {
    var table = [UInt8](repeating: 0x80, count: 256)
    for value in 0..<64 { unsafe table[Int(alphabet.utf8Start[value])] = UInt8(value) }
    return table
  }()
}

extension JSONBuffer {
  /// Appends bytes as a string of base64 with its quotes.
  package mutating func appendBase64(_ bytes: UnsafeRawBufferPointer) {
    let groups = bytes.count / 3
    let rest = bytes.count % 3
    reserve((groups + 1) * 4 + 2)
    let alphabet = unsafe Base64Text.alphabet.utf8Start
    var output = unsafe base + count
    unsafe output[0] = 0x22
    unsafe output += 1
    var read = 0
    for _ in 0..<groups {
      let (a, b, c) = unsafe (bytes[read], bytes[read &+ 1], bytes[read &+ 2])
      unsafe output[0] = alphabet[Int(a >> 2)]
      unsafe output[1] = alphabet[Int((a & 3) << 4 | b >> 4)]
      unsafe output[2] = alphabet[Int((b & 15) << 2 | c >> 6)]
      unsafe output[3] = alphabet[Int(c & 63)]
      unsafe output += 4
      read &+= 3
    }
    if rest > 0 {
      let a = unsafe bytes[read]
      let b = rest == 2 ? unsafe bytes[read + 1] : 0
      unsafe output[0] = alphabet[Int(a >> 2)]
      unsafe output[1] = alphabet[Int((a & 3) << 4 | b >> 4)]
      unsafe output[2] = rest == 2 ? alphabet[Int((b & 15) << 2)] : 0x3D
      unsafe output[3] = 0x3D
      unsafe output += 4
    }
    unsafe output[0] = 0x22
    count = unsafe output - base + 1
  }
}
