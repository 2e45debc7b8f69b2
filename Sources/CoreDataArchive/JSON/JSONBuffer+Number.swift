extension JSONBuffer {
  /// Appends an integer in decimal.
  package mutating func appendInteger(_ value: Int64) {
    if value < 0 { append(0x2D) }
    appendDigits(value.magnitude)
  }

  /// Appends a finite double in the shortest text that reads back to the same bits.
  ///
  /// The text always has a `.` or an `e`, so that it is never an integer: `3.0`, `1e+22`, `-0.0`.
  /// It is the text of `Double.description`.
  ///
  /// - Returns: false for the infinities and NaN; nothing is written then.
  package mutating func appendReal(_ value: Double) -> Bool {
    guard value.isFinite else { return false }
    guard let decimal = ShortestDecimal(quickly: value.magnitude) else {
      var text = value.description
      text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
      return true
    }
    if value.sign == .minus { append(0x2D) }
    let (whole, fraction) = decimal.parts
    appendDigits(whole)
    append(0x2E)
    appendDigits(fraction, width: max(decimal.decimals, 1))
    return true
  }

  /// Appends the decimal digits of a number, without leading zeros.
  mutating func appendDigits(_ value: UInt64) {
    appendDigits(value, width: DecimalPowers.digitCount(value))
  }

  /// Appends the lowest `width` decimal digits of a number, with leading zeros.
  mutating func appendDigits(_ value: UInt64, width: Int) {
    reserve(width)
    let output = unsafe base + count
    var rest = value
    var position = width
    while position >= 2 {
      let (next, pair) = rest.quotientAndRemainder(dividingBy: 100)
      let (tens, units) = UInt8(truncatingIfNeeded: pair).quotientAndRemainder(dividingBy: 10)
      unsafe output[position &- 1] = 0x30 &+ units
      unsafe output[position &- 2] = 0x30 &+ tens
      rest = next
      position &-= 2
    }
    if position == 1 { unsafe output[0] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10) }
    count &+= width
  }
}
