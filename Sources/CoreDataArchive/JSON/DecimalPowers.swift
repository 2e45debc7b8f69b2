/// Powers of ten and what follows from them.
enum DecimalPowers {
  /// 10^0 to 10^19, all that fit.
  static let integers: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000,
    100_000_000_000_000, 1_000_000_000_000_000, 10_000_000_000_000_000,
    100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]

  /// 10^0 to 10^22, all that a double holds exactly.
  static let doubles: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The number of decimal digits of a number; 1 for zero.
  static func digitCount(_ value: UInt64) -> Int {
    let bits = 64 &- (value | 1).leadingZeroBitCount
    // 1233 / 4096 is a little more than the logarithm of 2.
    let guess = (bits &* 1233) >> 12
    return max(guess &+ (guess < integers.count && value >= integers[guess] ? 1 : 0), 1)
  }

  /// The double nearest to `numerator / divisor`, ties to even; the divisor is not zero.
  ///
  /// Exact for any operands: the result is far from the ends of the range of a double, and the
  /// quotient is computed to at least 64 bits with its remainder.
  static func quotient(_ numerator: UInt128, by divisor: UInt64) -> Double {
    guard numerator != 0 else { return 0 }
    let shift = numerator.leadingZeroBitCount
    let (quotient, remainder) = (numerator << shift)
      .quotientAndRemainder(dividingBy: UInt128(divisor))
    let dropped = 128 - quotient.leadingZeroBitCount - 53
    let half = UInt128(1) << (dropped - 1)
    let low = quotient & ((half << 1) - 1)
    var top = UInt64(truncatingIfNeeded: quotient >> dropped)
    if low > half || (low == half && (remainder != 0 || top & 1 == 1)) { top += 1 }
    return Double(sign: .plus, exponent: dropped - shift, significand: Double(top))
  }
}
