internal import CoreDataArchive
internal import CoreDataModel
internal import Testing

@Suite struct StoredInstantTests {
  private static let first: Int64 = -63_113_904_000
  private static let last: Int64 = 252_423_993_599

  private func quoted(integer: Int64) -> String? {
    var buffer = JSONBuffer(minimumCapacity: 0)
    guard buffer.appendDate(integer: integer) else { return buffer.count == 0 ? nil : "" }
    return String(decoding: buffer.bytes(), as: UTF8.self)
  }

  private func quoted(real: Double) -> String? {
    var buffer = JSONBuffer(minimumCapacity: 0)
    guard buffer.appendDate(real: real) else { return buffer.count == 0 ? nil : "" }
    return String(decoding: buffer.bytes(), as: UTF8.self)
  }

  /// Reads a date with its quotes.
  private func date(_ quoted: String) -> Instant.Stored? {
    let bytes = Array(quoted.utf8.dropFirst().dropLast())
    return unsafe bytes.withUnsafeBytes { unsafe Instant.Stored.parse($0) }
  }

  private func readsBack(_ value: Double) -> Bool {
    guard let text = quoted(real: value), case .real(let back) = date(text) else { return false }
    return back.bitPattern == value.bitPattern
  }

  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"),
      (736_259_400, "2024-05-01T12:30:00Z"),
      (-978_307_200, "1970-01-01T00:00:00Z"), (63_113_904_000, "4001-01-01T00:00:00Z"),
      (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
      (-26_524_800, "2000-02-29T00:00:00Z"), (-3_187_296_000, "1900-01-01T00:00:00Z"),
    ] as [(Int64, String)])
  func integersHaveNoFraction(seconds: Int64, text: String) {
    #expect(quoted(integer: seconds) == "\"\(text)\"")
    #expect(date("\"\(text)\"") == .integer(seconds))
  }

  @Test(arguments: [
    (0.0, "2001-01-01T00:00:00.0Z"), (0.25, "2001-01-01T00:00:00.25Z"),
    (-0.25, "2000-12-31T23:59:59.75Z"), (-1, "2000-12-31T23:59:59.0Z"),
    (-1.5, "2000-12-31T23:59:58.5Z"), (714_589_234.123_456, "2023-08-24T17:00:34.123456Z"),
    (1e-5, "2001-01-01T00:00:00.00001Z"), (-1e-7, "2000-12-31T23:59:59.9999999Z"),
    (252_423_993_599.5, "9999-12-31T23:59:59.5Z"),
  ])
  func realsHaveAFraction(seconds: Double, text: String) {
    #expect(quoted(real: seconds) == "\"\(text)\"")
    #expect(date("\"\(text)\"") == .real(seconds))
  }

  @Test func whatNoTextStandsForIsRefused() {
    #expect(quoted(integer: Self.first - 1) == nil)
    #expect(quoted(integer: Self.last + 1) == nil)
    #expect(quoted(integer: .min) == nil)
    #expect(quoted(integer: .max) == nil)
    for value in [
      Double(Self.first) - 1, Double(Self.first).nextDown, Double(Self.last) + 1, 1e300, -1e300,
      -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 1.234_567_890_123_456_7e-6,
      -63_114_076_800,
    ] {
      #expect(quoted(real: value) == nil)
    }
  }

  @Test func everySecondNearEpochsAndLeapDaysIsReadBack() throws {
    let centers: [Int64] = [
      0, -978_307_200, 63_113_904_000, -63_113_904_000 + 4_000, 252_423_993_599 - 4_000,
      -26_524_800, -26_438_400, 99_705_600, 3_129_148_800, -3_182_284_800,
    ]
    for center in centers {
      for seconds in (center - 4_000)...(center + 4_000) {
        let text = try #require(quoted(integer: seconds))
        guard date(text) == .integer(seconds), readsBack(Double(seconds)) else {
          Issue.record("\(seconds) was written as \(text)")
          return
        }
      }
    }
  }

  @Test func everyDayIsTheDayAfterTheOneBefore() throws {
    var expected = (year: 1, month: 1, day: 1)
    for day in 0..<3_652_059 as Range<Int64> {
      // Every day would take long in a debug build; every day of some centuries will do.
      let isNear =
        expected.year <= 5 || (1899...2101).contains(expected.year) || expected.year >= 9996
      if isNear {
        let text = try #require(quoted(integer: Self.first + day * 86_400))
        let parts = text.dropFirst().prefix(10).split(separator: "-").map { Int($0) }
        guard parts == [expected.year, expected.month, expected.day] else {
          Issue.record("day \(day) was written as \(text)")
          return
        }
      }
      let isLeap = expected.year % 4 == 0 && (expected.year % 100 != 0 || expected.year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      expected.day += 1
      if expected.day > lengths[expected.month - 1] {
        expected.day = 1
        expected.month += 1
      }
      if expected.month > 12 {
        expected.month = 1
        expected.year += 1
      }
    }
    #expect(expected == (10_000, 1, 1))
  }

  /// Doubles within ±10^10 with few decimals, many decimals and random bits.
  private static func dates(_ count: Int, random: inout JSONTestRandom) -> [Double] {
    var values: [Double] = []
    while values.count < count {
      let value = Double.random(in: -1e10...1e10, using: &random)
      let recent = Double.random(in: 4e8...8e8, using: &random)
      values += [value, recent, (recent * 1e6).rounded() / 1e6, (recent * 1e9).rounded() / 1e9]
      values += [(value * 1e3).rounded() / 1e3, value.rounded(), value / 1e9, recent.nextUp]
      values.append(Double.random(in: -60_000_000_000...250_000_000_000, using: &random))
    }
    return values
  }

  @Test func randomRealsReadBackToTheSameBits() throws {
    let seed: UInt64 = 31
    var random = JSONTestRandom(seed: seed)
    for value in Self.dates(100_000, random: &random) where !readsBack(value) {
      // Only a number below a tenth of a second can need more digits than a fraction has.
      let isTiny = value.magnitude < 0.1 && quoted(real: value) == nil
      #expect(isTiny, "seed \(seed): \(value)")
    }
  }

  @Test func noShorterFractionReadsBack() throws {
    var random = JSONTestRandom(seed: 32)
    for value in Self.dates(2_000, random: &random) {
      guard let text = quoted(real: value) else { continue }
      let digits = text.utf8.count - 23
      guard digits > 1, case .real = date(text) else { continue }
      let point = text.index(text.endIndex, offsetBy: -(digits + 2))
      let fraction = try #require(UInt64(text[point...].dropLast(2)))
      let prefix = text[..<point]
      for candidate in [fraction / 10, fraction / 10 + 1] {
        let shorter = String(candidate)
        guard shorter.count < digits else { continue }
        let padded = String(repeating: "0", count: digits - 1 - shorter.count) + shorter
        #expect(date("\(prefix)\(padded)Z\"") != .real(value), "\(text)")
      }
    }
  }

  @Test(arguments: [
    "", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01T00:00:00z", "2001-01-01 00:00:00Z",
    "2001-1-01T00:00:00Z", "0000-01-01T00:00:00Z", "2001-00-01T00:00:00Z", "2001-13-01T00:00:00Z",
    "2001-01-00T00:00:00Z", "2001-01-32T00:00:00Z", "2001-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
    "2001-04-31T00:00:00Z", "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z", "2001-01-01T00:00:60Z",
    "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00,5Z", "2001-01-01T00:00:00.5",
    "+001-01-01T00:00:00Z",
    "2001-01-01T00:00:00.000000000000000000Z", "2001-01-01T00:00:00.5+00:00",
    "2001-01-01T00:00:00.5ZZ",
    "2001-01-01T00:00:00.5aZ", "12001-01-01T00:00:00Z", "2001-01-01T00:00:00Z ",
    "2001-01-01T00:-1:00Z",
  ])
  func otherTextsAreNoDates(text: String) {
    #expect(date("\"\(text)\"") == nil)
  }

  @Test(.enabled(if: PythonOracle.isAvailable, "needs python3"))
  func pythonWritesTheSameSeconds() throws {
    let seed: UInt64 = 33
    var random = JSONTestRandom(seed: seed)
    var texts: [String] = []
    for _ in 0..<20_000 {
      let seconds = Int64.random(in: Self.first...Self.last, using: &random)
      let fraction = Double.random(in: -1e10...1e10, using: &random)
      texts.append("\(seconds) \(try #require(quoted(integer: seconds)).dropFirst().dropLast())")
      let real = try #require(quoted(real: fraction)).dropFirst().prefix(19) + "Z"
      texts.append("\(Int64(fraction.rounded(.down))) \(real)")
    }
    let program = """
      import datetime, sys
      epoch = datetime.datetime(2001, 1, 1)
      for line in sys.stdin:
          seconds, text = line.split()
          date = epoch + datetime.timedelta(seconds=int(seconds))
          print("same" if date.isoformat() + "Z" == text else line.strip())
      """
    let answers = try PythonOracle.lines(program, input: texts)
    #expect(answers.count == texts.count)
    #expect(answers.first { $0 != "same" } == nil, "seed \(seed)")
  }
}
