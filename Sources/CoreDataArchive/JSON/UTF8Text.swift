/// Facts about texts that are given as bytes, which need not be valid.
package enum UTF8Text {
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Whether the bytes are well-formed UTF-8, as in table 3-7 of the Unicode standard: no overlong
  /// forms, no surrogates, nothing above U+10FFFF.
  package static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let address = text.baseAddress else { return true }
    let bytes = unsafe address.assumingMemoryBound(to: UInt8.self)
    let count = text.count
    var read = 0
    while read < count {
      if count &- read >= 8 {
        // Eight at a time: most texts are ASCII, or nearly so.
        let word = unsafe (address + read).loadUnaligned(as: UInt64.self).littleEndian
        let high = word & highBits
        guard high != 0 else {
          read &+= 8
          continue
        }
        read &+= high.trailingZeroBitCount >> 3
      } else if unsafe bytes[read] < 0x80 {
        read &+= 1
        continue
      }
      repeat {
        let size = unsafe JSONBytes.sequenceLength(bytes + read, available: count &- read)
        guard size > 0 else { return false }
        read &+= size
      } while unsafe read < count && bytes[read] >= 0x80
    }
    return true
  }

  /// The number of UTF-16 code units, which Core Data uses as the length of a text.
  ///
  /// For invalid text, a number from 0 to twice the number of its bytes.
  package static func utf16Count(_ text: UnsafeRawBufferPointer) -> Int {
    guard let address = text.baseAddress else { return 0 }
    var (count, read) = (text.count, 0)
    while text.count &- read >= 8 {
      let word = unsafe (address + read).loadUnaligned(as: UInt64.self)
      // One unit for each first byte of a scalar, and a second one where four bytes begin.
      let continuing = word & ~(word << 1) & highBits
      let four = word & (word << 1) & (word << 2) & (word << 3) & highBits
      count &+= four.nonzeroBitCount &- continuing.nonzeroBitCount
      read &+= 8
    }
    while read < text.count {
      let byte = unsafe text[read]
      if byte & 0xC0 == 0x80 { count &-= 1 } else if byte >= 0xF0 { count &+= 1 }
      read &+= 1
    }
    return count
  }
}
