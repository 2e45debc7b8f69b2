internal import CoreDataArchive

/// The calendar unit of a day, and its label.
extension DateHistogram.Unit {
  /// A unit that gives a suitable number of buckets for a span of days.
  init(suiting days: ClosedRange<Int>) {
    switch days.count {
    case ...70: self = .day
    case ...500: self = .week
    case ...3700: self = .month
    default: self = .year
    }
  }

  /// The number of the unit of a day.
  func number(of day: Int) -> Int {
    switch self {
    case .day: return day
    case .week: return day >= 0 ? day / 7 : (day - 6) / 7
    case .month:
      let date = CalendarDay.date(day)
      return date.year * 12 + date.month - 1
    case .year: return CalendarDay.date(day).year
    }
  }

  /// The beginning of a unit.
  func label(of number: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    switch self {
    case .day, .week:
      let date = CalendarDay.date(self == .day ? number : number * 7)
      return "\(date.year)-\(two(date.month))-\(two(date.day))"
    case .month: return "\(number / 12)-\(two(number % 12 + 1))"
    case .year: return "\(number)"
    }
  }
}
