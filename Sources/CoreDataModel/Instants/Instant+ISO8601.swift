extension Instant {
  /// Why a text is no point in time.
  package struct Problem: Error, Equatable {
    /// Why, in one sentence.
    package let detail: String
  }
}

extension Instant.Stored {
  private static let form = Instant.Problem(detail: "it is not in ISO 8601")

  /// Reads a point in time as people write it: in any form of ISO 8601, complete or not.
  ///
  /// Omitted parts mean the beginning: `2024`, `2024-05`, `2024-05-01`, `2024-W18`, `2024-122` are
  /// midnight. Without a zone it is UTC. Dates and times may be without their hyphens and colons;
  /// between them stands `T`, `t` or a space; the last part of a time may have a fraction of any length.
  package init(iso8601 text: String) throws(Instant.Problem) {
    let bytes = Array(text.utf8)
    let end = bytes.firstIndex { "Tt ".utf8.contains($0) } ?? bytes.endIndex
    let midnight = try Self.date(bytes[..<end])
    guard end < bytes.endIndex else {
      self = .integer(midnight)
      return
    }
    var time = bytes[(end + 1)...]
    let offset = try Self.zone(&time)
    self = try Self.time(time, of: midnight - offset)
  }

  // MARK: Dates

  private static func date(_ text: ArraySlice<UInt8>) throws(Instant.Problem) -> Int64 {
    let digits = text.filter(isDigit)
    func number(_ range: Range<Int>) -> Int {
      digits[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    // The form, with a 0 for each digit; its digits are where the form says.
    let form = String(decoding: text.map { isDigit($0) ? 0x30 : $0 }, as: UTF8.self).uppercased()
    switch form {
    case "0000": return try day(number(0..<4), 1, 1)
    case "0000-00": return try day(number(0..<4), number(4..<6), 1)
    case "0000-00-00", "00000000": return try day(number(0..<4), number(4..<6), number(6..<8))
    case "0000-000", "0000000": return try day(number(4..<7), of: number(0..<4))
    case "0000-W00", "0000W00": return try day(1, ofWeek: number(4..<6), of: number(0..<4))
    case "0000-W00-0", "0000W000":
      return try day(number(6..<7), ofWeek: number(4..<6), of: number(0..<4))
    default: throw Self.form
    }
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) throws(Instant.Problem) -> Int64 {
    guard year > 0 else { throw Instant.Problem(detail: "the first year is 0001") }
    guard (1...12).contains(month) else {
      throw Instant.Problem(detail: "there is no month \(month)")
    }
    guard let seconds = Instant.Fields(year: year, month: month, day: day).secondsSince2001 else {
      throw Instant.Problem(detail: "that month has no day \(day)")
    }
    return seconds
  }

  private static func day(_ day: Int, of year: Int) throws(Instant.Problem) -> Int64 {
    let first = try Self.day(year, 1, 1)
    // The last day, found by what comes after it, would need the year 10000.
    let count = (try Self.day(year, 12, 31) - first) / Instant.secondsPerDay + 1
    guard day >= 1, day <= count else {
      throw Instant.Problem(detail: "that year has no day \(day)")
    }
    return first + Int64(day - 1) * Instant.secondsPerDay
  }

  private static func day(
    _ day: Int, ofWeek week: Int, of year: Int
  ) throws(Instant.Problem) -> Int64 {
    guard (1...7).contains(day) else { throw Instant.Problem(detail: "a week has no day \(day)") }
    guard week >= 1, week <= 53 else {
      throw Instant.Problem(detail: "that year has no week \(week)")
    }
    // The first week is the one that 4 January is in; day 0 was a Monday.
    func monday(ofYear year: Int) throws(Instant.Problem) -> Int64 {
      let fourth = try Self.day(year, 1, 4) / Instant.secondsPerDay
      return (fourth - (fourth % 7 + 7) % 7) * Instant.secondsPerDay
    }
    let start = try monday(ofYear: year) + Int64(week - 1) * 7 * Instant.secondsPerDay
    // The 53rd week is of the next year where its Thursday is.
    if week == 53, start + 3 * Instant.secondsPerDay > (try Self.day(year, 12, 31)) {
      throw Instant.Problem(detail: "that year has no week 53")
    }
    return start + Int64(day - 1) * Instant.secondsPerDay
  }

  // MARK: Times

  /// Takes the zone from the end of a time; the number of seconds that it is ahead of UTC.
  private static func zone(_ time: inout ArraySlice<UInt8>) throws(Instant.Problem) -> Int64 {
    guard let start = time.firstIndex(where: { "Zz+-".utf8.contains($0) }) else { return 0 }
    let zone = time[start...]
    time = time[..<start]
    if time.last == 0x20 { time = time.dropLast() }
    if zone.count == 1, zone.first == 0x5A || zone.first == 0x7A { return 0 }
    guard let (hour, minute, second) = clock(zone.dropFirst()), second == nil else { throw form }
    guard hour <= 23, (minute ?? 0) <= 59 else {
      throw Instant.Problem(detail: "there is no such zone")
    }
    let offset = Int64(hour * 3_600 + (minute ?? 0) * 60)
    return zone.first == 0x2D ? -offset : offset
  }

  private static func time(
    _ text: ArraySlice<UInt8>, of midnight: Int64
  ) throws(Instant.Problem) -> Instant.Stored {
    let point = text.firstIndex { $0 == 0x2E || $0 == 0x2C } ?? text.endIndex
    guard let (hour, minute, second) = clock(text[..<point]) else { throw form }
    let fraction = text[point...].dropFirst()
    guard point == text.endIndex || !fraction.isEmpty, fraction.allSatisfy(isDigit) else {
      throw form
    }
    let isEndOfDay =
      hour == 24 && (minute ?? 0) == 0 && (second ?? 0) == 0 && fraction.allSatisfy { $0 == 0x30 }
    guard hour <= 23 || isEndOfDay, (minute ?? 0) <= 59, (second ?? 0) <= 59 else {
      throw Instant.Problem(detail: "there is no such time of day")
    }
    let whole = midnight + Int64(hour * 3_600 + (minute ?? 0) * 60 + (second ?? 0))
    return number(whole, fraction, of: second != nil ? 1 : minute != nil ? 60 : 3_600)
  }

  /// Seconds, and a decimal fraction of a unit of that many more.
  private static func number(
    _ whole: Int64, _ fraction: ArraySlice<UInt8>, of unit: UInt128
  ) -> Instant.Stored {
    let digits = fraction.prefix(18)
    var value = digits.reduce(UInt128(0)) { $0 * 10 + UInt128($1 - 0x30) }
    var count = digits.count
    // Of more digits it counts only that they are not all zero: no double lies between.
    if fraction.dropFirst(18).contains(where: { $0 != 0x30 }) {
      (value, count) = (value * 10 + 1, 19)
    }
    let scale = (0..<count).reduce(UInt128(1)) { power, _ in power * 10 }
    let (more, rest) = (value * unit).quotientAndRemainder(dividingBy: scale)
    let seconds = whole + Int64(more)
    return rest == 0
      ? .integer(seconds)
      : .real(seconds: seconds, fraction: UInt64(rest), scale: UInt64(scale))
  }

  /// Hours, minutes and seconds, with colons or without.
  private static func clock(_ text: ArraySlice<UInt8>) -> (hour: Int, minute: Int?, second: Int?)? {
    let digits = text.filter(isDigit).map { Int($0 - 0x30) }
    func number(_ place: Int) -> Int? {
      place + 1 < digits.count ? digits[place] * 10 + digits[place + 1] : nil
    }
    switch String(decoding: text.map { isDigit($0) ? 0x30 : $0 }, as: UTF8.self) {
    case "00", "00:00", "0000", "00:00:00", "000000":
      return number(0).map { ($0, number(2), number(4)) }
    default: return nil
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
