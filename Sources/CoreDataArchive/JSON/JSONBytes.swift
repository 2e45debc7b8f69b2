/// Facts about bytes that the writer and the scanner share.
enum JSONBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Marks the bytes of a word that need attention in a JSON string: `"`, `\`, control characters
  /// and everything beyond ASCII.
  ///
  /// Bit 7 of the lowest such byte is set and no bit below it; bits above it may be wrong, because
  /// a subtraction borrows from the next byte. Zero means that all eight bytes are plain.
  static func special(_ word: UInt64) -> UInt64 {
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let control = (word &- (ones &* 0x20)) & ~word
    let marks = control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | word
    return marks & (ones &* 0x80)
  }

  /// Whether two short runs of bytes are the same.
  ///
  /// Compared here: a call of `memcmp` for each key of each line costs more than the comparison.
  @inline(__always)
  static func areSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
    if count >= 8 {
      var offset = 0
      while offset &+ 8 < count {
        guard unsafe word(left, offset) == word(right, offset) else { return false }
        offset &+= 8
      }
      return unsafe word(left, count &- 8) == word(right, count &- 8)
    }
    for offset in 0..<count
    where unsafe left.load(fromByteOffset: offset, as: UInt8.self)
      != right.load(fromByteOffset: offset, as: UInt8.self)
    {
      return false
    }
    return true
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// Whether 32 bytes are ASCII that needs no escape in a JSON string.
  static func isPlain32(_ bytes: UnsafePointer<UInt8>) -> Bool {
    let x = unsafe UnsafeRawPointer(bytes).loadUnaligned(as: SIMD4<UInt64>.self)
    let quote = x ^ 0x2222_2222_2222_2222
    let backslash = x ^ 0x5C5C_5C5C_5C5C_5C5C
    let control = (x &- 0x2020_2020_2020_2020) & ~x
    let marks =
      control | ((quote &- 0x0101_0101_0101_0101) & ~quote)
      | ((backslash &- 0x0101_0101_0101_0101) & ~backslash) | x
    return (marks[0] | marks[1] | marks[2] | marks[3]) & 0x8080_8080_8080_8080 == 0
  }

  /// Whether the byte is ASCII that needs no escape in a JSON string.
  static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5C
  }

  /// The length of the well-formed non-ASCII UTF-8 sequence at a place; 0 if there is none.
  ///
  /// Never reads more than `available` bytes; `available` is at least 1. Well-formed as in table 3-7 of the
  /// Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF.
  static func sequenceLength(_ bytes: UnsafePointer<UInt8>, available: Int) -> Int {
    let first = unsafe bytes[0]
    guard first >= 0xC2, first <= 0xF4, available >= 2 else { return 0 }
    let second = unsafe bytes[1]
    if first < 0xE0 { return second & 0xC0 == 0x80 ? 2 : 0 }
    guard available >= 3, unsafe bytes[2] & 0xC0 == 0x80 else { return 0 }
    if first < 0xF0 {
      let low: UInt8 = first == 0xE0 ? 0xA0 : 0x80
      let high: UInt8 = first == 0xED ? 0x9F : 0xBF
      return second >= low && second <= high ? 3 : 0
    }
    guard available >= 4, unsafe bytes[3] & 0xC0 == 0x80 else { return 0 }
    let low: UInt8 = first == 0xF0 ? 0x90 : 0x80
    let high: UInt8 = first == 0xF4 ? 0x8F : 0xBF
    return second >= low && second <= high ? 4 : 0
  }
}
