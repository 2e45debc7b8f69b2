/// Quotients of integers as doubles, rounded once.
package enum ExactQuotient {
  /// The double nearest to `numerator / divisor`, ties to even; the divisor is not zero.
  ///
  /// Exact for any operands: the result is far from the ends of the range of a double, and the
  /// quotient is computed to at least 64 bits with its remainder.
  package static func nearest(_ numerator: UInt128, by divisor: UInt64) -> Double {
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
