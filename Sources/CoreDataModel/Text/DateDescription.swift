/// Dates as people read them: `2024-05-01T12:30:00Z`, with a fraction where there is one.
enum DateDescription {
  /// The years 0001 to 9999.
  private static let range = -63_113_904_000.0..<252_423_993_600.0

  /// The text of a date in seconds since 2001-01-01 00:00:00 UTC, to the microsecond; for a date
  /// outside the years 0001 to 9999 the number of seconds.
  static func text(of seconds: Double) -> String {
    guard range.contains(seconds) else { return "\(seconds) seconds since 2001" }
    func padded(_ number: Int64, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    func parts(_ number: Int64, by divisor: Int64) -> (whole: Int64, rest: Int64) {
      let (whole, rest) = number.quotientAndRemainder(dividingBy: divisor)
      return rest < 0 ? (whole - 1, rest + divisor) : (whole, rest)
    }
    let (whole, microseconds) = parts(Int64((seconds * 1e6).rounded()), by: 1_000_000)
    let (day, time) = parts(whole, by: 86_400)
    let date = CalendarDay.date(Int(day))
    var fraction = microseconds == 0 ? "" : "." + padded(microseconds, 6)
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(padded(Int64(date.year), 4))-\(padded(Int64(date.month)))-\(padded(Int64(date.day)))"
      + "T\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))\(fraction)Z"
  }
}
