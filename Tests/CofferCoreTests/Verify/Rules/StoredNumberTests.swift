internal import CoreDataModel
internal import Testing

@testable internal import CofferCore

/// Numbers of different storage classes compared.
@Suite struct StoredNumberTests {
  /// In ascending order; numbers in one row are equal.
  private static let ascending: [[StoredNumber]] = [
    [.real(-.infinity)], [.real(-1e300)], [.real(-0x1.0000000000001p63)],
    [.integer(.min), .real(-0x1p63)], [.integer(.min + 1)],
    [.integer(-9_007_199_254_740_993)], [.integer(-9_007_199_254_740_992), .real(-0x1p53)],
    [.integer(-2), .real(-2)], [.real(-1.5)], [.integer(-1), .real(-1)], [.real(-0.5)],
    [.integer(0), .real(0), .real(-0.0)], [.real(.leastNonzeroMagnitude)], [.real(0.5)],
    [.integer(1), .real(1)], [.real(1.5)], [.integer(2), .real(2)],
    [.integer(9_007_199_254_740_992), .real(0x1p53)], [.integer(9_007_199_254_740_993)],
    [.integer(9_007_199_254_740_994), .real(0x1.0000000000001p53)],
    [.real(0x1.fffffffffffffp62)], [.integer(.max)], [.real(0x1p63)], [.real(1e300)],
    [.real(.infinity)],
  ]

  @Test func numbersAreComparedByTheirExactValue() {
    for (leftPlace, lefts) in Self.ascending.enumerated() {
      for (rightPlace, rights) in Self.ascending.enumerated() {
        let expected = leftPlace < rightPlace ? -1 : leftPlace > rightPlace ? 1 : 0
        for left in lefts {
          for right in rights {
            #expect(StoredNumber.order(left, right) == expected, "\(left), \(right)")
          }
        }
      }
    }
  }

  @Test func whatIsNotANumberHasNoOrder() {
    for number in Self.ascending.flatMap(\.self) {
      #expect(StoredNumber.order(number, .real(.nan)) == nil)
      #expect(StoredNumber.order(.real(.nan), number) == nil)
    }
  }

  @Test func constantsOfAModelAreNumbers() {
    #expect(StoredNumber(.bool(true)) == .integer(1))
    #expect(StoredNumber(.integer(-5)) == .integer(-5))
    #expect(StoredNumber(.unsigned(1 << 63)) == .real(0x1p63))
    #expect(StoredNumber(.unsigned(.max)) == nil)
    #expect(StoredNumber(.string("5")) == nil)
    #expect(StoredNumber(.date(5)) == nil)
  }

  @Test func decimalConstantsAreRoundedOnce() {
    #expect(StoredNumber(decimal(1, -1)) == .real(0.1))
    #expect(StoredNumber(decimal(249, -2)) == .real(2.49))
    #expect(StoredNumber(decimal(249, -2, isNegative: true)) == .real(-2.49))
    #expect(StoredNumber(decimal(9_007_199_254_740_991, 0)) == .real(0x1.fffffffffffffp52))
    #expect(StoredNumber(decimal(5, 22)) == .real(5e22))
    // Beyond these the double would be rounded twice.
    #expect(StoredNumber(decimal(9_007_199_254_740_992, 0)) == nil)
    #expect(StoredNumber(decimal(5, 23)) == nil)
    #expect(StoredNumber(decimal(5, -23)) == nil)
    #expect(StoredNumber(.object(className: "NSDecimalNumber", fields: [:])) == nil)
  }

  private func decimal(_ mantissa: UInt64, _ exponent: Int64, isNegative: Bool = false)
    -> ModelValue
  {
    let bytes = (0..<16).map { place in
      place < 8 ? UInt8(truncatingIfNeeded: mantissa >> UInt64(8 * place)) : 0
    }
    return .object(
      className: "NSDecimalNumber",
      fields: [
        "NS.mantissa": .data(bytes), "NS.exponent": .integer(exponent),
        "NS.negative": .bool(isNegative), "NS.mantissa.bo": .integer(1), "NS.length": .integer(4),
      ])
  }
}
