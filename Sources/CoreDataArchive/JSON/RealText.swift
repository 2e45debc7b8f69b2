internal import CoreDataModel
internal import POSIX

/// Converts the text of a number to a double, correctly rounded for every text.
package enum RealText {
  /// The double nearest to a JSON number; nil when the text is not one, or is beyond all finite
  /// doubles.
  ///
  /// Integers are read as doubles too. The text must contain only the number.
  package static func parse(_ text: UnsafeRawBufferPointer) -> Double? {
    let number = unsafe NumberText(text, from: 0)
    guard number.problem == nil, number.end == text.count else { return nil }
    return unsafe value(of: number, in: text)
  }

  /// The double nearest to a number that was scanned in a text; nil beyond all finite doubles.
  static func value(of number: NumberText, in text: UnsafeRawBufferPointer) -> Double? {
    guard let magnitude = quickValue(of: number) else {
      let start = number.isNegative ? number.start + 1 : number.start
      let digits = unsafe UnsafeRawBufferPointer(rebasing: text[start..<number.end])
      let slow = unsafe slowValue(digits)
      guard slow.isFinite else { return nil }
      return number.isNegative ? -slow : slow
    }
    return number.isNegative ? -magnitude : magnitude
  }

  /// The value where exact arithmetic on integers of 128 bits gives it; nil elsewhere.
  private static func quickValue(of number: NumberText) -> Double? {
    guard !number.isLong else { return nil }
    let (digits, decimals) = (number.digits, number.decimals)
    if digits == 0 { return 0 }
    if digits <= 1 << 53 {
      // Both operands are exact, so the one operation rounds correctly.
      if decimals >= 0, decimals <= 22 { return Double(digits) / DecimalPowers.doubles[decimals] }
      if decimals < 0, decimals >= -22 { return Double(digits) * DecimalPowers.doubles[-decimals] }
    }
    if decimals >= 0, decimals <= 19 {
      return ExactQuotient.nearest(UInt128(digits), by: DecimalPowers.integers[decimals])
    }
    if decimals < 0, decimals >= -19 {
      let product = UInt128(digits) * UInt128(DecimalPowers.integers[-decimals])
      return ExactQuotient.nearest(product, by: 1)
    }
    return nil
  }

  /// The value of a number without sign by the C library.
  ///
  /// The C library obeys the locale of the process. Where its decimal point is not a point, it
  /// stops early, and Swift's own conversion, which needs no locale, takes over.
  private static func slowValue(_ text: UnsafeRawBufferPointer) -> Double {
    let count = text.count
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { copy in
      guard let base = copy.baseAddress else { return .nan }
      unsafe UnsafeMutableRawBufferPointer(copy).copyMemory(from: text)
      unsafe base[count] = 0
      var end: UnsafeMutablePointer<CChar>?
      let value = unsafe strtod(base, &end)
      if let end = unsafe end, unsafe end - base == count { return value }
      return unsafe Double(String(decoding: text, as: UTF8.self)) ?? .nan
    }
  }
}

extension JSONScanner {
  /// Scans the number that begins at the next byte.
  mutating func scanNumber() throws(JSONError) -> JSONToken {
    if let number = scanShortInteger() { return .integer(number) }
    let text = unsafe UnsafeRawBufferPointer(start: base, count: count)
    let number = unsafe NumberText(text, from: position)
    if let problem = number.problem { throw JSONError(problem, at: number.end) }
    let start = position
    position = number.end
    if number.isReal {
      guard let value = unsafe RealText.value(of: number, in: text) else {
        throw JSONError(.bigNumber, at: start)
      }
      return .real(value)
    }
    guard let value = number.integer else { throw JSONError(.bigNumber, at: start) }
    return .integer(value)
  }

  /// Scans an integer without a sign and of at most 18 digits, as most numbers are, which cannot overflow.
  ///
  /// - Returns: nil for any other number, and where no comma or bracket follows; nothing is scanned then.
  private mutating func scanShortInteger() -> Int64? {
    let limit = min(count, position &+ 18)
    var (next, value) = (position, Int64(0))
    while next < limit {
      let digit = unsafe base[next] &- 0x30
      guard digit <= 9 else { break }
      value = value &* 10 &+ Int64(digit)
      next &+= 1
    }
    guard next > position, next < count else { return nil }
    let byte = unsafe base[next]
    guard byte == 0x2C || byte == 0x7D || byte == 0x5D else { return nil }
    // Only zero itself begins with a zero.
    if next &- position > 1, unsafe base[position] == 0x30 { return nil }
    position = next
    return value
  }
}

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

  /// Adds a run of at least one digit.
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
