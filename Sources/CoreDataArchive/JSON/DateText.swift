internal import CoreDataModel

/// A point in time, in seconds since 2001-01-01 00:00:00 UTC, in the storage class it had.
package enum StoredDate: Sendable, Equatable {
  /// Whole seconds, stored as an integer; written without a fraction.
  case integer(Int64)
  /// Seconds stored as a floating point number; written with a fraction, `.0` at least.
  case real(Double)
}

/// Dates as ISO 8601 text: `2024-05-01T12:30:00Z`, or with a fraction `2024-05-01T12:30:00.25Z`.
///
/// Always UTC, years 0001 to 9999 of the proleptic Gregorian calendar, no leap seconds. Text with a
/// fraction is read as the double nearest to the exact decimal number of seconds since 2001-01-01;
/// text without one is read as an integer.
package enum DateText {
  /// The seconds of 0001-01-01T00:00:00Z.
  static let first: Int64 = -63_113_904_000
  /// The seconds of 9999-12-31T23:59:59Z.
  static let last: Int64 = 252_423_993_599
  /// The maximum number of digits in a fraction.
  static let longestFraction = 17
  private static let secondsPerDay: Int64 = 86_400

  /// A date and time of the Gregorian calendar.
  package struct Fields: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
      self.year = year
      self.month = month
      self.day = day
      self.hour = hour
      self.minute = minute
      self.second = second
    }
  }

  /// The calendar fields of a number of seconds between ``first`` and ``last``.
  static func fields(_ seconds: Int64) -> Fields {
    var (day, time) = seconds.quotientAndRemainder(dividingBy: secondsPerDay)
    if time < 0 { (day, time) = (day - 1, time + secondsPerDay) }
    let date = CalendarDay.date(Int(day))
    let (hour, rest) = Int(time).quotientAndRemainder(dividingBy: 3_600)
    return Fields(
      year: date.year, month: date.month, day: date.day, hour: hour, minute: rest / 60,
      second: rest % 60)
  }

  /// The seconds of calendar fields; nil when there is no such date or time.
  package static func seconds(_ fields: Fields) -> Int64? {
    let (year, month, day) = (fields.year, fields.month, fields.day)
    guard year >= 1, year <= 9999, month >= 1, month <= 12, day >= 1,
      day <= length(ofMonth: month, year: year),
      fields.hour <= 23, fields.minute <= 59, fields.second <= 59
    else { return nil }
    let number = CalendarDay.number(year: year, month: month, day: day)
    let time = fields.hour * 3_600 + fields.minute * 60 + fields.second
    return Int64(number) * secondsPerDay + Int64(time)
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The date of a text in exactly this form; nil for any other text.
  ///
  /// A fraction has 1 to 17 digits.
  package static func parse(_ text: UnsafeRawBufferPointer) -> StoredDate? {
    guard text.count >= 20, unsafe text[text.count - 1] == 0x5A,
      unsafe text[4] == 0x2D, unsafe text[7] == 0x2D, unsafe text[10] == 0x54,
      unsafe text[13] == 0x3A, unsafe text[16] == 0x3A,
      let century = unsafe pair(text, 0), let year = unsafe pair(text, 2),
      let month = unsafe pair(text, 5), let day = unsafe pair(text, 8),
      let hour = unsafe pair(text, 11), let minute = unsafe pair(text, 14),
      let second = unsafe pair(text, 17),
      let seconds = seconds(
        Fields(
          year: century * 100 + year, month: month, day: day,
          hour: hour, minute: minute, second: second))
    else { return nil }
    if text.count == 20 { return .integer(seconds) }
    let digits = text.count - 21
    guard unsafe text[19] == 0x2E, digits >= 1, digits <= longestFraction else { return nil }
    var fraction: UInt64 = 0
    for position in 20..<(text.count - 1) {
      let digit = unsafe text[position] &- 0x30
      guard digit <= 9 else { return nil }
      fraction = fraction * 10 + UInt64(digit)
    }
    return .real(value(seconds: seconds, fraction: fraction, digits: digits))
  }

  private static func pair(_ text: UnsafeRawBufferPointer, _ offset: Int) -> Int? {
    let (tens, units) = unsafe (text[offset] &- 0x30, text[offset + 1] &- 0x30)
    return tens <= 9 && units <= 9 ? Int(tens) * 10 + Int(units) : nil
  }

  /// The double nearest to a number of seconds with a decimal fraction of at most 19 digits.
  package static func value(seconds: Int64, fraction: UInt64, digits: Int) -> Double {
    let scale = DecimalPowers.integers[digits]
    // At most 2.6 * 10^11 seconds times 10^19.
    let exact = Int128(seconds) * Int128(scale) + Int128(fraction)
    let numerator = exact.magnitude
    let magnitude =
      numerator <= 1 << 53
      ? Double(UInt64(numerator)) / DecimalPowers.doubles[digits]
      : DecimalPowers.quotient(numerator, by: scale)
    return exact < 0 ? -magnitude : magnitude
  }
}
