/// The shortest decimal fraction that reads back to a double: `digits / 10^decimals`.
struct ShortestDecimal: Equatable {
  /// All the digits as one number, at most 17 of them, without zeros at the end of the fraction.
  var digits: UInt64
  /// The number of digits after the decimal point.
  var decimals: Int

  /// The maximum number of digits after the decimal point of a date.
  private static let maxDecimals = 17

  /// The digits before and after the decimal point.
  var parts: (whole: UInt64, fraction: UInt64) {
    guard decimals > 0 else { return (digits, 0) }
    let (whole, fraction) = digits.quotientAndRemainder(
      dividingBy: DecimalPowers.integers[decimals])
    return (whole, fraction)
  }

  /// The fraction of an integer below 2^53, or of nearly any other double from 0.001 to there; nil for
  /// the rest.
  init?(quickly magnitude: Double) {
    guard magnitude < 0x1p53 else { return nil }
    let truncated = UInt64(magnitude)
    if Double(truncated) == magnitude {
      self.init(digits: truncated, decimals: 0)
      return
    }
    guard magnitude >= 1e-4 else { return nil }
    if let short = Self(short: magnitude) {
      self = short
      return
    }
    self.init(long: magnitude, whole: truncated)
  }

  /// The fraction of a double from 0.0001 to 2^53 when 15 digits are enough.
  ///
  /// Two decimals of at most 15 digits never read as the same double. So if one of them does
  /// read as this one, it is the shortest; and dividing an integer below 2^53 by a power of ten up
  /// to 10^22 is one correctly rounded operation, which is how such a text is read.
  private init?(short magnitude: Double) {
    let places = Self.places(magnitude)
    guard places > 0 else { return nil }
    let power = DecimalPowers.doubles[places]
    let digits = UInt64(magnitude * power + 0.5)
    guard Double(digits) / power == magnitude else { return nil }
    self.init(digits: digits, decimals: places)
    dropZeros()
  }

  /// The shortest fraction of a double between 0.001 and 2^53; nil where this takes an algorithm
  /// for every double.
  ///
  /// Of all numbers with 15 digits, then 16, then 17, the one nearest to the double is the shortest if it lies
  /// less than half a unit in the last place away, because then it reads as this double. With the double as
  /// m / 2^s, the number as n / 10^p and both fractions made one, all of this is arithmetic with integers of at
  /// most 120 bits:
  ///
  ///     |m · 10^p - n · 2^s| < 10^p / 2
  ///
  /// A power of two, below which the doubles are denser, and a number right between two are left out.
  private init?(long magnitude: Double, whole: UInt64) {
    guard magnitude >= 1e-3, magnitude.significandBitPattern != 0 else { return nil }
    let significand = magnitude.significandBitPattern | 1 << 52
    let shift = UInt128(truncatingIfNeeded: 52 - Int(magnitude.exponent))
    let most =
      if magnitude >= 1 {
        17 - DecimalPowers.digitCount(whole)
      } else {
        magnitude >= 0.1 ? 17 : magnitude >= 0.01 ? 18 : 19
      }
    for places in max(1, most - 2)...max(1, most) {
      let power = DecimalPowers.integers[places]
      let (high, low) = significand.multipliedFullWidth(by: power)
      let scaled = UInt128(high) &<< 64 | UInt128(low)
      let nearest = (scaled &+ 1 &<< (shift &- 1)) &>> shift
      let back = nearest &<< shift
      let distance = back > scaled ? back &- scaled : scaled &- back
      if distance &<< 1 > UInt128(power) { continue }
      guard distance &<< 1 < UInt128(power), distance != 1 &<< (shift &- 1) else { return nil }
      self.init(digits: UInt64(truncatingIfNeeded: nearest), decimals: places)
      dropZeros()
      return
    }
    return nil
  }

  /// The fraction of a finite double that is not negative; nil if it needs more than 17 digits
  /// after the decimal point, or the number is above 2^53.
  init?(_ magnitude: Double) {
    guard let found = Self(quickly: magnitude) ?? Self(described: magnitude),
      found.decimals <= Self.maxDecimals
    else { return nil }
    self = found
  }

  /// The fraction of any double that is not negative, by its description; nil above 2^53.
  private init?(described magnitude: Double) {
    guard magnitude < 0x1p53 else { return nil }
    var digits: UInt64 = 0
    var decimals = 0
    var exponent = 0
    var seen = (point: false, exponent: false)
    for byte in magnitude.description.utf8 {
      switch byte {
      case 0x2E: seen.point = true
      case 0x65: seen.exponent = true
      case 0x30...0x39 where seen.exponent: exponent = exponent * 10 + Int(byte - 0x30)
      case 0x30...0x39:
        digits = digits * 10 + UInt64(byte - 0x30)
        if seen.point { decimals += 1 }
      default: break  // The minus of an exponent; a magnitude below 2^53 has no other sign.
      }
    }
    self.init(digits: digits, decimals: decimals + exponent)
  }

  private init(digits: UInt64, decimals: Int) {
    self.digits = digits
    self.decimals = decimals
  }

  /// The number of decimals within 15 digits of a number of that size; 0 for none.
  private static func places(_ magnitude: Double) -> Int {
    if magnitude < 1e6 {
      if magnitude < 1e2 { return magnitude < 1 ? 15 : 13 }
      return magnitude < 1e4 ? 11 : 9
    }
    if magnitude < 1e9 { return magnitude < 1e8 ? 7 : 6 }
    return magnitude < 1e12 ? 3 : 0
  }

  /// Drops the zeros at the end; there is a digit other than zero after the decimal point.
  private mutating func dropZeros() {
    drop(8, power: 100_000_000)
    drop(4, power: 10_000)
    drop(2, power: 100)
    drop(1, power: 10)
  }

  private mutating func drop(_ count: Int, power: UInt64) {
    let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: power)
    guard remainder == 0 else { return }
    digits = quotient
    decimals &-= count
  }
}

/// Powers of ten and values derived from them.
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
}
