internal import CoreDataModel

extension JSONScanner {
  /// Scans the string whose opening quote comes next, and unescapes it in place.
  mutating func scanString() throws(JSONError) -> JSONSlice {
    let start = position &+ 1
    let end = try plainRun(from: start)
    if unsafe base[end] == 0x22 {
      position = end &+ 1
      return JSONSlice(start: start, count: end &- start)
    }
    return try unescape(from: start, firstEscape: end)
  }

  /// The offset of the first quote or backslash from an offset on; everything before it is valid.
  private func plainRun(from start: Int) throws(JSONError) -> Int {
    let (base, count) = unsafe (base, count)
    var position = start
    while position < count {
      if count &- position >= 8 {
        let word = unsafe UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self)
        let special = JSONBytes.special(word.littleEndian)
        if special == 0 {
          position &+= 8
          while count &- position >= 32, unsafe JSONBytes.isPlain32(base + position) {
            position &+= 32
          }
          continue
        }
        position &+= special.trailingZeroBitCount >> 3
      }
      let byte = unsafe base[position]
      if byte == 0x22 || byte == 0x5C { return position }
      if byte < 0x20 { throw JSONError(.controlCharacter, at: position) }
      if byte < 0x80 {
        position &+= 1
        continue
      }
      repeat {
        let size = unsafe JSONBytes.sequenceLength(base + position, available: count &- position)
        guard size > 0 else { throw JSONError(.invalidUTF8, at: position) }
        position &+= size
      } while unsafe position < count && base[position] >= 0x80
    }
    throw JSONError(.unexpectedEnd, at: count)
  }

  /// Scans the rest of a string from its first escape on.
  private mutating func unescape(from start: Int, firstEscape: Int) throws(JSONError) -> JSONSlice {
    var read = firstEscape
    var write = firstEscape
    while unsafe base[read] == 0x5C {
      (read, write) = try escape(at: read, writingTo: write)
      let end = try plainRun(from: read)
      unsafe UnsafeMutableRawPointer(base + write)
        .copyMemory(from: base + read, byteCount: end &- read)
      write &+= end &- read
      read = end
    }
    position = read &+ 1
    return JSONSlice(start: start, count: write &- start)
  }

  /// Replaces an escape with its meaning; returns the offsets after both.
  private mutating func escape(
    at offset: Int, writingTo write: Int
  ) throws(JSONError) -> (read: Int, write: Int) {
    guard offset &+ 1 < count else { throw JSONError(.unexpectedEnd, at: count) }
    let letter = unsafe base[offset &+ 1]
    let byte: UInt8
    switch letter {
    case 0x22, 0x5C, 0x2F: byte = letter
    case 0x62: byte = 0x08
    case 0x66: byte = 0x0C
    case 0x6E: byte = 0x0A
    case 0x72: byte = 0x0D
    case 0x74: byte = 0x09
    case 0x75: return try unicodeEscape(at: offset, writingTo: write)
    default: throw JSONError(.invalidEscape, at: offset)
    }
    unsafe base[write] = byte
    return (offset &+ 2, write &+ 1)
  }

  private mutating func unicodeEscape(
    at offset: Int, writingTo write: Int
  ) throws(JSONError) -> (read: Int, write: Int) {
    let first = try codeUnit(at: offset)
    guard first & 0xF800 == 0xD800 else {
      return (offset &+ 6, encode(UInt32(first), at: write))
    }
    guard first < 0xDC00 else { throw JSONError(.loneSurrogate, at: offset) }
    let next = offset &+ 6
    guard next < count else { throw JSONError(.unexpectedEnd, at: count) }
    guard unsafe base[next] == 0x5C else { throw JSONError(.loneSurrogate, at: offset) }
    guard next &+ 1 < count else { throw JSONError(.unexpectedEnd, at: count) }
    guard unsafe base[next &+ 1] == 0x75 else { throw JSONError(.loneSurrogate, at: offset) }
    let second = try codeUnit(at: next)
    guard second & 0xFC00 == 0xDC00 else { throw JSONError(.loneSurrogate, at: offset) }
    let scalar = 0x10000 &+ (UInt32(first & 0x3FF) << 10) &+ UInt32(second & 0x3FF)
    return (next &+ 6, encode(scalar, at: write))
  }

  /// The code unit of the escape `\uXXXX` at an offset.
  private func codeUnit(at offset: Int) throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for index in (offset &+ 2)..<(offset &+ 6) {
      guard index < count else { throw JSONError(.unexpectedEnd, at: count) }
      guard let digit = unsafe Hexadecimal.value(base[index]) else {
        throw JSONError(.invalidEscape, at: offset)
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  /// Writes a scalar as UTF-8 and returns the offset after it.
  ///
  /// It is never longer than its escape.
  private mutating func encode(_ scalar: UInt32, at offset: Int) -> Int {
    func byte(_ lead: UInt32, _ shift: UInt32) -> UInt8 {
      UInt8(truncatingIfNeeded: lead | (scalar >> shift) & (lead == 0x80 ? 0x3F : 0xFF))
    }
    switch scalar {
    case 0..<0x80:
      unsafe base[offset] = UInt8(scalar)
      return offset &+ 1
    case 0x80..<0x800:
      unsafe base[offset] = byte(0xC0, 6)
      unsafe base[offset &+ 1] = byte(0x80, 0)
      return offset &+ 2
    case 0x800..<0x10000:
      unsafe base[offset] = byte(0xE0, 12)
      unsafe base[offset &+ 1] = byte(0x80, 6)
      unsafe base[offset &+ 2] = byte(0x80, 0)
      return offset &+ 3
    default:
      unsafe base[offset] = byte(0xF0, 18)
      unsafe base[offset &+ 1] = byte(0x80, 12)
      unsafe base[offset &+ 2] = byte(0x80, 6)
      unsafe base[offset &+ 3] = byte(0x80, 0)
      return offset &+ 4
    }
  }
}
