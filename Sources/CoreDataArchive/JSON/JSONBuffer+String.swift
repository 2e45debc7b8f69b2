internal import CoreDataModel

extension JSONBuffer {
  /// Appends a JSON string with its quotes.
  ///
  /// `"`, `\` and the control characters up to U+001F are escaped in the shortest way; everything
  /// else is written directly.
  ///
  /// - Returns: false when the bytes are not valid UTF-8; nothing is written then.
  package mutating func appendString(utf8 text: UnsafeRawBufferPointer) -> Bool {
    let length = text.count
    // From here on there is always space for the rest of the text, the closing quote, and a store
    // of eight bytes, some of them unused.
    reserve(length &+ 10)
    let start = count
    var output = unsafe base + start
    unsafe output.pointee = 0x22
    unsafe output += 1
    if let address = text.baseAddress {
      let input = unsafe address.assumingMemoryBound(to: UInt8.self)
      var read = 0
      while read < length {
        if length >= 8 {
          unsafe Self.copyPlain(input, length: length, read: &read, output: &output)
          if read == length { break }
        }
        let byte = unsafe input[read]
        if byte >= 0x80 {
          guard unsafe Self.copySequences(input, length: length, read: &read, output: &output)
          else {
            count = start
            return false
          }
        } else if JSONBytes.isPlain(byte) {
          unsafe output.pointee = byte
          unsafe output += 1
          read &+= 1
        } else {
          count = unsafe output - base
          appendEscape(of: byte, remaining: length &- read)
          unsafe output = unsafe base + count
          read &+= 1
        }
      }
    }
    unsafe output.pointee = 0x22
    count = unsafe output - base + 1
    return true
  }

  /// Appends a JSON string with its quotes.
  package mutating func appendString(_ text: String) {
    var text = text
    let isValid = text.withUTF8 { unsafe appendString(utf8: UnsafeRawBufferPointer($0)) }
    assert(isValid, "a Swift string is always valid")
  }

  /// Copies ASCII that needs no escape, from a text of at least eight bytes.
  ///
  /// Eight bytes are stored at a time; the last ones may be unused.
  private static func copyPlain(
    _ input: UnsafePointer<UInt8>, length: Int, read: inout Int,
    output: inout UnsafeMutablePointer<UInt8>
  ) {
    let address = unsafe UnsafeRawPointer(input)
    while read < length {
      let remaining = length &- read
      // Near the end the last eight bytes are read again, and those that are done shifted out; the
      // zeros that come in count as special.
      let word =
        remaining >= 8
        ? unsafe (address + read).loadUnaligned(as: UInt64.self).littleEndian
        : unsafe (address + (length &- 8)).loadUnaligned(as: UInt64.self).littleEndian
          >> UInt64(truncatingIfNeeded: (8 &- remaining) &* 8)
      unsafe UnsafeMutableRawPointer(output).storeBytes(of: word.littleEndian, as: UInt64.self)
      let special = JSONBytes.special(word)
      if special != 0 {
        let plain = special.trailingZeroBitCount >> 3
        read &+= plain
        unsafe output += plain
        return
      }
      read &+= 8
      unsafe output += 8
      while length &- read >= 32, unsafe JSONBytes.isPlain32(input + read) {
        unsafe output.update(from: input + read, count: 32)
        unsafe output += 32
        read &+= 32
      }
    }
  }

  /// Copies a run of at least one non-ASCII sequence; false if one is invalid.
  private static func copySequences(
    _ input: UnsafePointer<UInt8>, length: Int, read: inout Int,
    output: inout UnsafeMutablePointer<UInt8>
  ) -> Bool {
    repeat {
      let size = unsafe JSONBytes.sequenceLength(input + read, available: length &- read)
      guard size > 0 else { return false }
      for index in 0..<size { unsafe output[index] = input[read &+ index] }
      unsafe output += size
      read &+= size
    } while unsafe read < length && input[read] >= 0x80
    return true
  }

  /// Writes the escape of a byte and keeps space for the rest of the text and its quote.
  private mutating func appendEscape(of byte: UInt8, remaining: Int) {
    reserve(remaining &+ 14)
    let output = unsafe base + count
    unsafe output[0] = 0x5C
    let short: UInt8 =
      switch byte {
      case 0x08: 0x62
      case 0x09: 0x74
      case 0x0A: 0x6E
      case 0x0C: 0x66
      case 0x0D: 0x72
      case 0x22, 0x5C: byte
      default: 0
      }
    if short != 0 {
      unsafe output[1] = short
      count &+= 2
      return
    }
    unsafe output[1] = 0x75
    unsafe output[2] = 0x30
    unsafe output[3] = 0x30
    unsafe output[4] = 0x30 &+ (byte >> 4)
    unsafe output[5] = Hexadecimal.lowerDigit(byte & 15)
    count &+= 6
  }
}
