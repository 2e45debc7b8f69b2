/// A number as JSON writes it, scanned but not yet converted.
struct NumberText {
  /// The offset of its first byte.
  var start: Int
  /// The offset after its last byte.
  var end: Int
  /// Whether it begins with a minus.
  var isNegative = false
  /// Whether it has a `.`, an `e` or an `E`.
  var isReal = false
  /// The digits before and after the point as one number, unless there are too many.
  var digits: UInt64 = 0
  /// The number of digits after the point, minus the exponent; can be negative.
  var decimals = 0
  /// Whether the digits do not fit 64 bits.
  var isLong = false
  /// Why it is not a number, noticed at `end`; nil when it is one.
  var problem: JSONError.Kind?

  /// Scans the number that begins at an offset.
  init(_ text: UnsafeRawBufferPointer, from offset: Int) {
    start = offset
    end = offset
    unsafe scan(text)
  }

  private mutating func scan(_ text: UnsafeRawBufferPointer) {
    let count = text.count
    if end < count, unsafe text[end] == 0x2D {
      isNegative = true
      end &+= 1
    }
    let first = end
    unsafe scanDigits(text)
    if end &- first > 1, unsafe text[first] == 0x30 {
      end = first
      problem = .invalidNumber
    }
    if problem != nil { return }
    if end < count, unsafe text[end] == 0x2E {
      isReal = true
      end &+= 1
      let fraction = end
      unsafe scanDigits(text)
      if problem != nil { return }
      decimals = end &- fraction
    }
    if end < count, unsafe text[end] | 0x20 == 0x65 {
      isReal = true
      end &+= 1
      unsafe scanExponent(text)
    }
  }

  /// Adds a run of digits, of which there must be one.
  private mutating func scanDigits(_ text: UnsafeRawBufferPointer) {
    let count = text.count
    let first = end
    var position = end
    var value = digits
    while position < count {
      let digit = unsafe text[position] &- 0x30
      guard digit <= 9 else { break }
      // Below this no multiplication by ten and addition of nine can overflow.
      if value < 1_844_674_407_370_955_161 {
        value = value &* 10 &+ UInt64(digit)
      } else {
        isLong = true
      }
      position &+= 1
    }
    digits = value
    end = position
    if position == first { problem = position < count ? .invalidNumber : .unexpectedEnd }
  }

  /// Adds the exponent to `decimals`; anything beyond every double counts as a million.
  private mutating func scanExponent(_ text: UnsafeRawBufferPointer) {
    let count = text.count
    var isNegative = false
    if end < count {
      let sign = unsafe text[end]
      if sign == 0x2B || sign == 0x2D {
        isNegative = sign == 0x2D
        end &+= 1
      }
    }
    let first = end
    var exponent = 0
    while end < count {
      let digit = unsafe text[end] &- 0x30
      guard digit <= 9 else { break }
      if exponent < 1_000_000 { exponent = exponent &* 10 &+ Int(digit) }
      end &+= 1
    }
    decimals = isNegative ? decimals &+ exponent : decimals &- exponent
    if end == first { problem = end < count ? .invalidNumber : .unexpectedEnd }
  }

  /// The integer; nil when it does not fit 64 bits or the number is a real.
  var integer: Int64? {
    guard !isReal, !isLong else { return nil }
    if isNegative { return digits <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- digits) : nil }
    return Int64(exactly: digits)
  }
}
