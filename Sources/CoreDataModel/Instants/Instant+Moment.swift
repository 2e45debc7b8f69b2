package import Foundation
internal import POSIX

extension Instant {
  /// The second that a date is in.
  package init(_ date: Date) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    self.init(secondsSince1970: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
  }

  /// The moment as a date.
  package var date: Date { Date(timeIntervalSince1970: Double(secondsSince1970)) }

  /// Reads a time as people type it, and takes the end of the period that it names.
  ///
  /// `2026-11-20` is the end of that day, `2026-11-20T12:00` the end of that minute: it means the
  /// latest backup until then. Without `Z` or an offset such as `+01:00`, the time is in this
  /// machine's time zone.
  ///
  /// - Parameter text: the date, or date and time.
  /// - Throws: ``CofferError`` with `invalid-time`.
  package init(endOf text: String) throws(CofferError) {
    try self.init(text, hour: 23, minute: 59, second: 59)
  }

  /// Reads a time as people type it, and takes the beginning of the period that it names.
  ///
  /// `2026-11-20` is the beginning of that day, in this machine's time zone.
  ///
  /// - Parameter text: the date, or date and time.
  /// - Throws: ``CofferError`` with `invalid-time`.
  package init(startOf text: String) throws(CofferError) {
    try self.init(text, hour: 0, minute: 0, second: 0)
  }

  /// Reads a time, with given values for the omitted parts.
  private init(
    _ text: String, hour defaultHour: Int, minute defaultMinute: Int, second defaultSecond: Int
  ) throws(CofferError) {
    let pattern =
      #/(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?/#
    guard let match = try? pattern.wholeMatch(in: text) else { throw Self.invalid(text) }
    func number(_ part: Substring?) -> Int? { part.flatMap { Int($0) } }
    let (hour, minute, second) = (
      number(match.output.4), number(match.output.5), number(match.output.6)
    )
    guard
      let year = number(match.output.1), let month = number(match.output.2),
      let day = number(match.output.3),
      let time = Instant(
        Fields(
          year: year, month: month, day: day, hour: hour ?? defaultHour,
          minute: minute ?? defaultMinute, second: second ?? defaultSecond))
    else { throw Self.invalid(text) }
    let offset = match.output.7.map(Self.offset) ?? Self.localOffset(at: time)
    self = time.advanced(by: -offset)
  }

  private static func offset(_ text: Substring) -> Int64 {
    guard text != "Z" else { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    let seconds = (Int64(digits.prefix(2)) ?? 0) * 3_600 + (Int64(digits.suffix(2)) ?? 0) * 60
    return text.hasPrefix("-") ? -seconds : seconds
  }

  /// The difference between the clocks of this machine's time zone and UTC, at a time on these clocks.
  private static func localOffset(at time: Instant) -> Int64 {
    // Foundation does not know all forms of TZ.
    let first = SystemClock.secondsFromGMT(at: time.secondsSince1970)
    return SystemClock.secondsFromGMT(at: time.secondsSince1970 - first)
  }

  private static func invalid(_ text: String) -> CofferError {
    CofferError(
      .invalidTime, path: text, detail: "this is neither a date nor a time",
      advice: "Write a day, or a time of a day: 2026-11-20, 2026-11-20T12:00, 2026-11-20T12:00Z")
  }
}
