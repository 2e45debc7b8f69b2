/// Days of the Gregorian calendar as numbers, 2001-01-01 being 0, a Monday.
///
/// A year begins on 1 March here, so that a leap day is the last of it; 400 years have 146,097 days.
package enum CalendarDay {
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
