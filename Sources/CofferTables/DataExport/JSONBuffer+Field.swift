package import CoreDataArchive

/// Fields of comma-separated values. Source: RFC 4180, section 2.
extension JSONBuffer {
  /// Appends a string as a field.
  ///
  /// It is quoted if it is empty or contains a quote, a comma or a line break; quotes in it are
  /// doubled.
  ///
  /// - Parameter text: valid UTF-8.
  mutating func appendField(utf8 text: UnsafeRawBufferPointer) {
    guard unsafe text.count == 0 || Self.needsQuotes(text) else { return unsafe append(text) }
    let quote = UInt8(ascii: "\"")
    reserve(text.count + 2)
    append(quote)
    var start = 0
    for index in 0..<text.count where unsafe text[index] == quote {
      unsafe append(UnsafeRawBufferPointer(rebasing: text[start...index]))
      append(quote)
      start = index + 1
    }
    unsafe append(UnsafeRawBufferPointer(rebasing: text[start...]))
    append(quote)
  }

  /// Appends a string as a field.
  package mutating func appendField(_ text: String) {
    var text = text
    text.withUTF8 { unsafe appendField(utf8: UnsafeRawBufferPointer($0)) }
  }

  private static func needsQuotes(_ text: UnsafeRawBufferPointer) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var index = 0
    while text.count &- index >= 8 {
      let word = unsafe text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // Where a byte matches, the difference borrows into its highest bit.
      let quote = word ^ (ones &* 0x22)
      let comma = word ^ (ones &* 0x2C)
      let carriageReturn = word ^ (ones &* 0x0D)
      let lineFeed = word ^ (ones &* 0x0A)
      let marks =
        ((quote &- ones) & ~quote) | ((comma &- ones) & ~comma)
        | ((carriageReturn &- ones) & ~carriageReturn) | ((lineFeed &- ones) & ~lineFeed)
      if marks & (ones &* 0x80) != 0 { return true }
      index &+= 8
    }
    while index < text.count {
      switch unsafe text[index] {
      case 0x22, 0x2C, 0x0D, 0x0A: return true
      default: index &+= 1
      }
    }
    return false
  }
}
