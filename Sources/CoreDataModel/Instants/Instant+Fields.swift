extension Instant {
  /// Days of the Gregorian calendar as numbers, 2001-01-01 being 0, a Monday.
  ///
  /// A year begins on 1 March here, so that a leap day is the last of it; 400 years have 146,097 days.
  package enum Day {
    /// The days from 0000-03-01 to 2001-01-01.
    private static let epoch = 730_791

    /// The number of a day.
    package static func number(year: Int, month: Int, day: Int) -> Int {
      let shifted = month <= 2 ? year - 1 : year
      let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
      return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + ofYear - epoch
    }

    /// The year, the month and the day of a number, for years from 1 on.
    package static func date(_ number: Int) -> (year: Int, month: Int, day: Int) {
      let (era, day) = (number + epoch).quotientAndRemainder(dividingBy: 146_097)
      let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
      let ofYear = day - (365 * year + year / 4 - year / 100)
      let month = (5 * ofYear + 2) / 153
      let isNextYear = month >= 10
      return (
        era * 400 + year + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
        ofYear - (153 * month + 2) / 5 + 1
      )
    }
  }

  /// A date and a time of day of the Gregorian calendar in UTC.
  package struct Fields: Equatable {
    /// The year, from 1 to 9999.
    package var year: Int
    /// The month, from 1 to 12.
    package var month: Int
    /// The day of the month, from 1.
    package var day: Int
    /// The hour, from 0 to 23.
    package var hour: Int
    /// The minute, from 0 to 59.
    package var minute: Int
    /// The second, from 0 to 59.
    package var second: Int

    /// Creates fields, which need not be a date or a time.
    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
      (self.year, self.month, self.day) = (year, month, day)
      (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// The fields of a number of seconds since 2001-01-01 00:00:00 UTC in the years 1 to 9999.
    package init(secondsSince2001 seconds: Int64) {
      var (day, time) = seconds.quotientAndRemainder(dividingBy: Instant.secondsPerDay)
      if time < 0 { (day, time) = (day - 1, time + Instant.secondsPerDay) }
      let date = Day.date(Int(day))
      let (hour, rest) = Int(time).quotientAndRemainder(dividingBy: 3_600)
      self.init(
        year: date.year, month: date.month, day: date.day, hour: hour, minute: rest / 60,
        second: rest % 60)
    }

    /// The seconds since 2001-01-01 00:00:00 UTC; nil if there is no such date or time.
    package var secondsSince2001: Int64? {
      guard year >= 1, year <= 9999, month >= 1, month <= 12, day >= 1, day <= monthLength,
        hour >= 0, hour <= 23, minute >= 0, minute <= 59, second >= 0, second <= 59
      else { return nil }
      let number = Day.number(year: year, month: month, day: day)
      let time = hour * 3_600 + minute * 60 + second
      return Int64(number) * Instant.secondsPerDay + Int64(time)
    }

    private var monthLength: Int {
      switch month {
      case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    }

    /// The fields as ISO 8601 without a zone, with a separator in the date and one in the time.
    func text(date: String, time: String) -> String {
      let day = [Instant.padded(year, 4), Instant.padded(month), Instant.padded(self.day)]
      let clock = [hour, minute, second].map { Instant.padded($0) }
      return day.joined(separator: date) + "T" + clock.joined(separator: time)
    }
  }

  /// A number in decimal with zeros before it.
  static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
