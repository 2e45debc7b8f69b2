internal import CoreDataModel
internal import POSIX

/// A moment in time, to the second, in UTC.
public struct BackupTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Seconds since 1970-01-01 00:00:00 UTC, without leap seconds; in the years 1 to 9999.
  public let secondsSince1970: Int64

  /// The seconds of the first and the last moment that can be written.
  private static let bounds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
  private static let secondsPerDay: Int64 = 86_400
  /// The days from 1970-01-01 to 2001-01-01.
  private static let daysTo2001 = 11_323

  /// Creates a moment; one outside of the years 1 to 9999 becomes the nearest that is inside.
  public init(secondsSince1970: Int64) {
    self.secondsSince1970 = min(
      max(secondsSince1970, Self.bounds.lowerBound), Self.bounds.upperBound)
  }

  /// Seconds since 2001-01-01 00:00:00 UTC, as stores have them.
  package var secondsSince2001: Double {
    Double(secondsSince1970 - Int64(Self.daysTo2001) * Self.secondsPerDay)
  }

  /// The current time.
  public static var now: BackupTime {
    BackupTime(secondsSince1970: SystemClock.fileNanoseconds / 1_000_000_000)
  }

  /// The moment a number of seconds later; earlier if it is negative.
  package func advanced(by seconds: Int64) -> BackupTime {
    BackupTime(secondsSince1970: secondsSince1970.addingReportingOverflow(seconds).partialValue)
  }

  /// Whether a moment is earlier than another.
  public static func < (left: BackupTime, right: BackupTime) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }

  /// The calendar fields in UTC.
  package var fields: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    var (day, time) = secondsSince1970.quotientAndRemainder(dividingBy: Self.secondsPerDay)
    if time < 0 { (day, time) = (day - 1, time + Self.secondsPerDay) }
    let date = CalendarDay.date(Int(day) - Self.daysTo2001)
    let seconds = Int(time)
    return (
      date.year, date.month, date.day, seconds / 3_600, seconds / 60 % 60, seconds % 60
    )
  }

  /// The number of the day in UTC; 0 is 2001-01-01, a Monday.
  package var dayNumber: Int {
    let seconds = secondsSince1970
    let day = seconds / Self.secondsPerDay - (seconds % Self.secondsPerDay < 0 ? 1 : 0)
    return Int(day) - Self.daysTo2001
  }

  /// The moment as ISO 8601: `2026-11-22T03:15:00Z`.
  public var description: String { text(date: "-", time: ":") }

  /// The moment in the basic form of ISO 8601, which may stand in a file name: `20261122T031500Z`.
  ///
  /// The extended form has colons, which several file systems forbid and `tar` takes for a host.
  package var fileText: String { text(date: "", time: "") }

  private func text(date: String, time: String) -> String {
    let fields = fields
    func padded(_ number: Int, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    let day = [padded(fields.year, 4), padded(fields.month, 2), padded(fields.day, 2)]
    let clock = [fields.hour, fields.minute, fields.second].map { padded($0, 2) }
    return "\(day.joined(separator: date))T\(clock.joined(separator: time))Z"
  }

  /// Reads the basic form of a file name; nil for any other text.
  package init?(fileText text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else {
      return nil
    }
    var digits: [Int] = []
    for index in [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14] {
      guard let digit = Self.digit(bytes[index]) else { return nil }
      digits.append(digit)
    }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    self.init(
      year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(8..<10),
      minute: number(10..<12), second: number(12..<14))
  }

  /// Creates a moment of the calendar; nil if there is none.
  package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
    else { return nil }
    let number = CalendarDay.number(year: year, month: month, day: day)
    guard CalendarDay.date(number) == (year, month, day) else { return nil }
    let days = Int64(number + Self.daysTo2001)
    secondsSince1970 = days * Self.secondsPerDay + Int64(hour * 3_600 + minute * 60 + second)
  }

  private static func digit(_ byte: UInt8) -> Int? {
    byte >= 0x30 && byte <= 0x39 ? Int(byte) - 0x30 : nil
  }
}
