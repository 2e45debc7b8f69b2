internal import CoreDataArchive
internal import Testing

@Suite struct JSONNumberTests {
  /// Every power of two and of ten with its neighbours, and the ends of the range.
  private static var edges: [Int64] {
    var edges: Set<Int64> = [0, .min, .max, .min + 1, .max - 1]
    for bit in 0..<63 {
      for offset in -2...2 as ClosedRange<Int64> {
        edges.insert((1 << Int64(bit)) &+ offset)
        edges.insert(0 &- (1 << Int64(bit)) &+ offset)
      }
    }
    var power: Int64 = 1
    for _ in 0..<19 {
      for offset in -2...2 as ClosedRange<Int64> {
        edges.insert(power &+ offset)
        edges.insert(0 &- power &+ offset)
      }
      power = power.multipliedReportingOverflow(by: 10).partialValue
    }
    return edges.sorted()
  }

  @Test func everyIntegerEdgeIsWrittenAsSwiftDoesAndReadBack() throws {
    for value in Self.edges {
      let text = writtenText { $0.appendInteger(value) }
      #expect(text == String(value))
      #expect(try tokens(text.utf8) == [.integer(value)])
    }
  }

  @Test func randomIntegersAreReadBack() throws {
    var random = JSONTestRandom(seed: 11)
    for _ in 0..<20_000 {
      let value = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
      let text = writtenText { $0.appendInteger(value) }
      #expect(text == String(value))
      #expect(try tokens(text.utf8) == [.integer(value)])
    }
  }

  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "99999999999999999999", "123456789012345678901234567890",
    "1e309", "-1e309", "1e999999999999999999999", "17976931348623159e292",
  ])
  func numbersOutOfRangeAreAnErrorThatNamesTheirOffset(text: String) {
    #expect(throws: JSONError(.bigNumber, at: 3)) { try tokens("[1,\(text)]".utf8) }
  }

  @Test(arguments: [
    (0.0, "0.0"), (-0.0, "-0.0"), (3.0, "3.0"), (-1.5, "-1.5"), (1e22, "1e+22"), (0.1, "0.1"),
    (1e15, "1000000000000000.0"), (1e16, "1e+16"), (123_456_789.123_456_7, "123456789.1234567"),
    (.leastNonzeroMagnitude, "5e-324"), (1e-4, "0.0001"), (1e-5, "1e-05"),
    (9_007_199_254_740_991, "9007199254740991.0"),
    (0.000_123_456, "0.000123456"), (714_589_234.123_456, "714589234.123456"),
  ])
  func realsHaveTheirShortestText(value: Double, text: String) {
    #expect(jsonReal(value) == text)
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, .signalingNaN])
  func whatIsNotFiniteIsRefused(value: Double) {
    #expect(jsonReal(value) == nil)
  }

  /// Doubles of every kind: random bits, few decimals, few digits, near powers, near 2^53.
  static func doubles(_ count: Int, random: inout JSONTestRandom) -> [Double] {
    var values: [Double] = [
      .leastNormalMagnitude, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ]
    while values.count < count {
      let bits = Double(bitPattern: random.next())
      let digits = Double(random.next() >> UInt64.random(in: 4..<64, using: &random))
      let places = Int.random(in: 0...22, using: &random)
      let scaled = (0..<places).reduce(digits) { value, _ in value / 10 }
      let near = Double(Int64(1) << Int64.random(in: 0..<62, using: &random))
      let fraction = Double.random(in: 0..<1, using: &random)
      for value in [bits, scaled, -scaled, near.nextUp, near.nextDown, fraction, -1e9 * fraction] {
        if value.isFinite { values.append(value) }
      }
    }
    return values
  }

  @Test func randomDoublesReadBackToTheSameBits() throws {
    let seed: UInt64 = 2001
    var random = JSONTestRandom(seed: seed)
    for value in Self.doubles(100_000, random: &random) {
      let text = try #require(jsonReal(value))
      guard text == value.description, scannedReal(text)?.bitPattern == value.bitPattern,
        try tokens(text.utf8) == [.real(value.bitPattern)]
      else {
        Issue.record("seed \(seed): \(value) was written as \(text)")
        return
      }
    }
  }

  @Test func anyTextOfANumberIsRoundedAsTheLibraryRoundsIt() throws {
    let seed: UInt64 = 22
    var random = JSONTestRandom(seed: seed)
    for _ in 0..<100_000 {
      var text = Bool.random(using: &random) ? "-" : ""
      let whole = random.next() >> UInt64.random(in: 0..<64, using: &random)
      text += String(whole)
      if Bool.random(using: &random) {
        text += "."
        for _ in 0..<Int.random(in: 1...25, using: &random) {
          text += String(Int.random(in: 0...9, using: &random))
        }
      }
      if Bool.random(using: &random) { text += "e\(Int.random(in: -340...280, using: &random))" }
      let expected = try #require(Double(text))
      guard scannedReal(text)?.bitPattern == expected.bitPattern else {
        Issue.record("seed \(seed): \(text) should read as \(expected)")
        return
      }
    }
  }

  @Test(arguments: [
    "9007199254740993.0", "9007199254740992.99999999999999999999999", "0.5000000000000001110",
    "9007199254740993.00000000000000000000000000000000000000000000001",
    "2.2250738585072011e-308", "1.00000000000000011102230246251565404236316680908203125",
    "1.00000000000000011102230246251565404236316680908203124", "18446744073709551615.0",
    "179769313486231580793728971405301e276", "4.9406564584124654e-324", "2.4703282292062327e-324",
    "0.000000000000000000000000000000000000000000000000001", "1e-400", "0e999999999",
    "100000000000000000000000000000000000000000000.0",
  ])
  func halfwayAndLongTextsAreRoundedCorrectly(text: String) {
    #expect(scannedReal(text)?.bitPattern == Double(text)?.bitPattern)
  }

  @Test(.enabled(if: PythonOracle.isAvailable, "needs python3"))
  func pythonReadsTheSameDoubles() throws {
    let seed: UInt64 = 754
    var random = JSONTestRandom(seed: seed)
    let values = Self.doubles(100_000, random: &random)
    let texts = try values.map { try #require(jsonReal($0)) }
    let program = """
      import json, struct, sys
      for line in sys.stdin:
          value = json.loads(line)
          assert type(value) is float
          print(struct.unpack("<Q", struct.pack("<d", value))[0])
      """
    let answers = try PythonOracle.lines(program, input: texts)
    #expect(answers == values.map { String($0.bitPattern) }, "seed \(seed)")
  }
}
