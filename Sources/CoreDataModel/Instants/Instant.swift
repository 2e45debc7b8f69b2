internal import POSIX

/// A moment in time, to the second, in UTC.
package struct Instant: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Seconds since 1970-01-01 00:00:00 UTC, without leap seconds; in the years 1 to 9999.
  package let secondsSince1970: Int64

  /// The seconds of a day.
  package static let secondsPerDay: Int64 = 86_400
  /// The seconds from 1970-01-01 to 2001-01-01.
  package static let secondsTo2001: Int64 = 978_307_200
  /// The seconds of the first and the last moment that can be written.
  private static let bounds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Creates a moment; one outside of the years 1 to 9999 becomes the nearest that is inside.
  package init(secondsSince1970: Int64) {
    self.secondsSince1970 = min(
      max(secondsSince1970, Self.bounds.lowerBound), Self.bounds.upperBound)
  }

  /// Creates a moment of the calendar; nil if there is none.
  init?(_ fields: Fields) {
    guard let seconds = fields.secondsSince2001 else { return nil }
    self.init(secondsSince1970: seconds + Self.secondsTo2001)
  }

  /// Seconds since 2001-01-01 00:00:00 UTC, as stores have them.
  package var secondsSince2001: Int64 { secondsSince1970 - Self.secondsTo2001 }

  /// The current time.
  package static var now: Instant {
    Instant(secondsSince1970: SystemClock.fileNanoseconds / 1_000_000_000)
  }

  /// The moment a number of seconds later; earlier if it is negative.
  package func advanced(by seconds: Int64) -> Instant {
    Instant(secondsSince1970: secondsSince1970.addingReportingOverflow(seconds).partialValue)
  }

  /// Whether a moment is earlier than another.
  package static func < (left: Instant, right: Instant) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }

  /// The calendar fields in UTC.
  package var fields: Fields { Fields(secondsSince2001: secondsSince2001) }

  /// The number of the day in UTC; 0 is 2001-01-01, a Monday.
  package var dayNumber: Int {
    let (day, rest) = secondsSince2001.quotientAndRemainder(dividingBy: Self.secondsPerDay)
    return Int(rest < 0 ? day - 1 : day)
  }

  /// The moment as ISO 8601: `2026-11-22T03:15:00Z`.
  package var description: String { fields.text(date: "-", time: ":") + "Z" }

  /// The moment in the basic form of ISO 8601, which can be used in a file name: `20261122T031500Z`.
  ///
  /// The extended form has colons, which several file systems forbid and `tar` takes for a host.
  package var fileText: String { fields.text(date: "", time: "") + "Z" }

  /// Reads the basic form of a file name; nil for any other text.
  package init?(fileText text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else {
      return nil
    }
    let digits = (bytes[..<8] + bytes[9..<15]).map { Int($0) - 0x30 }
    guard digits.allSatisfy((0...9).contains) else { return nil }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    self.init(
      Fields(
        year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(8..<10),
        minute: number(10..<12), second: number(12..<14)))
  }

  /// The text of a date in seconds since 2001-01-01 00:00:00 UTC, to the microsecond; for a date
  /// outside the years 0001 to 9999 the number of seconds.
  static func description(of seconds: Double) -> String {
    guard seconds >= Double(Stored.first), seconds < Double(Stored.last + 1) else {
      return "\(seconds) seconds since 2001"
    }
    var (whole, microseconds) = Int64((seconds * 1e6).rounded())
      .quotientAndRemainder(dividingBy: 1_000_000)
    if microseconds < 0 { (whole, microseconds) = (whole - 1, microseconds + 1_000_000) }
    var fraction = microseconds == 0 ? "" : "." + padded(Int(microseconds), 6)
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return Fields(secondsSince2001: whole).text(date: "-", time: ":") + fraction + "Z"
  }
}
