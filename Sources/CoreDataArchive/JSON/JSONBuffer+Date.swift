extension JSONBuffer {
  /// Appends a date that is stored as an integer: `"2024-05-01T12:30:00Z"`.
  ///
  /// - Returns: false outside the years 0001 to 9999; nothing is written then.
  package mutating func appendDate(integer seconds: Int64) -> Bool {
    guard seconds >= DateText.first, seconds <= DateText.last else { return false }
    appendDate(seconds, fraction: 0, digits: 0)
    return true
  }

  /// Appends a date that is stored as a double: `"2024-05-01T12:30:00.25Z"`.
  ///
  /// The fraction has one digit at least, and otherwise the fewest with which ``DateText`` reads
  /// back the very same double.
  ///
  /// - Returns: false if there is no such text: outside the years 0001 to 9999, for NaN and -0.0,
  ///   and for tiny numbers that need more than 17 digits. Nothing is written then.
  package mutating func appendDate(real seconds: Double) -> Bool {
    let magnitude = seconds.magnitude
    guard magnitude < 2.6e11, seconds != 0 || seconds.sign == .plus,
      let decimal = ShortestDecimal(magnitude)
    else { return false }
    let (whole, rest) = decimal.parts
    var (second, fraction) = (Int64(whole), rest)
    if seconds < 0 {
      // The fraction of a text counts forward from the second below.
      second = fraction > 0 ? -second - 1 : -second
      if fraction > 0 { fraction = DecimalPowers.integers[decimal.decimals] - fraction }
    }
    guard second >= DateText.first, second <= DateText.last else { return false }
    appendDate(second, fraction: fraction, digits: max(decimal.decimals, 1))
    return true
  }

  /// Writes a date with a number of fraction digits; without any, there is no point either.
  private mutating func appendDate(_ seconds: Int64, fraction: UInt64, digits: Int) {
    let fields = DateText.fields(seconds)
    reserve(48)
    append(0x22)
    appendDigits(UInt64(fields.year), width: 4)
    append(0x2D)
    appendDigits(UInt64(fields.month), width: 2)
    append(0x2D)
    appendDigits(UInt64(fields.day), width: 2)
    append(0x54)
    appendDigits(UInt64(fields.hour), width: 2)
    append(0x3A)
    appendDigits(UInt64(fields.minute), width: 2)
    append(0x3A)
    appendDigits(UInt64(fields.second), width: 2)
    if digits > 0 {
      append(0x2E)
      appendDigits(fraction, width: digits)
    }
    append(0x5A)
    append(0x22)
  }
}
