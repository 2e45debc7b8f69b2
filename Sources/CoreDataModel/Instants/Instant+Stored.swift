extension Instant {
  /// A point in time, in seconds since 2001-01-01 00:00:00 UTC, in the storage class it had.
  ///
  /// Its text is ISO 8601: `2024-05-01T12:30:00Z`, or with a fraction `2024-05-01T12:30:00.25Z`. It is
  /// always UTC, with years 0001 to 9999 of the proleptic Gregorian calendar and no leap seconds. Text
  /// with a fraction is read as the double nearest to the exact decimal number of seconds; text without
  /// one is read as an integer.
  package enum Stored: Sendable, Equatable {
    /// Whole seconds, stored as an integer; written without a fraction.
    case integer(Int64)
    /// Seconds stored as a floating point number; written with a fraction, `.0` at least.
    case real(Double)

    /// The seconds of 0001-01-01T00:00:00Z.
    package static let first: Int64 = -63_113_904_000
    /// The seconds of 9999-12-31T23:59:59Z.
    package static let last: Int64 = 252_423_993_599
    /// The maximum number of digits in a fraction.
    private static let maximumFraction = 17

    /// The date of a text in exactly this form; nil for any other text.
    ///
    /// A fraction has 1 to 17 digits.
    package static func parse(_ text: UnsafeRawBufferPointer) -> Stored? {
      guard text.count >= 20, unsafe text[text.count - 1] == 0x5A,
        unsafe text[4] == 0x2D, unsafe text[7] == 0x2D, unsafe text[10] == 0x54,
        unsafe text[13] == 0x3A, unsafe text[16] == 0x3A,
        let century = unsafe pair(text, 0), let year = unsafe pair(text, 2),
        let month = unsafe pair(text, 5), let day = unsafe pair(text, 8),
        let hour = unsafe pair(text, 11), let minute = unsafe pair(text, 14),
        let second = unsafe pair(text, 17),
        let seconds = Fields(
          year: century * 100 + year, month: month, day: day,
          hour: hour, minute: minute, second: second
        ).secondsSince2001
      else { return nil }
      if text.count == 20 { return .integer(seconds) }
      let digits = text.count - 21
      guard unsafe text[19] == 0x2E, digits >= 1, digits <= maximumFraction else { return nil }
      var (fraction, scale): (UInt64, UInt64) = (0, 1)
      for position in 20..<(text.count - 1) {
        let digit = unsafe text[position] &- 0x30
        guard digit <= 9 else { return nil }
        (fraction, scale) = (fraction * 10 + UInt64(digit), scale * 10)
      }
      return real(seconds: seconds, fraction: fraction, scale: scale)
    }

    private static func pair(_ text: UnsafeRawBufferPointer, _ offset: Int) -> Int? {
      let (tens, units) = unsafe (text[offset] &- 0x30, text[offset + 1] &- 0x30)
      return tens <= 9 && units <= 9 ? Int(tens) * 10 + Int(units) : nil
    }

    /// The point in time nearest to a number of seconds and a decimal fraction, stored as a double.
    ///
    /// The fraction is divided by the scale, a power of ten up to 10^19.
    static func real(seconds: Int64, fraction: UInt64, scale: UInt64) -> Stored {
      // At most 2.6 * 10^11 seconds times 10^19.
      let exact = Int128(seconds) * Int128(scale) + Int128(fraction)
      let numerator = exact.magnitude
      // Up to 2^53 both operands are exact, so the one operation rounds correctly.
      let magnitude =
        numerator <= 1 << 53
        ? Double(UInt64(numerator)) / Double(scale)
        : ExactQuotient.nearest(numerator, by: scale)
      return .real(exact < 0 ? -magnitude : magnitude)
    }
  }
}
