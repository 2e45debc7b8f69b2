internal import CoreDataModel

/// A number as stored, compared by its exact value regardless of its storage class.
package enum StoredNumber: Equatable {
  case integer(Int64)
  case real(Double)

  /// The order of two numbers: -1, 0 or 1; nil if one is not a number.
  ///
  /// Compares an integer and a floating point number without rounding either.
  static func order(_ left: Self, _ right: Self) -> Int? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): sign(left, right)
    case (.real(let left), .real(let right)):
      left.isNaN || right.isNaN ? nil : sign(left, right)
    case (.integer(let left), .real(let right)): order(left, right)
    case (.real(let left), .integer(let right)): order(right, left).map { -$0 }
    }
  }

  private static func order(_ left: Int64, _ right: Double) -> Int? {
    if right.isNaN { return nil }
    if right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    // Truncated, which is exact for a double of that size.
    let whole = Int64(right)
    let order = sign(left, whole)
    return order != 0 ? order : sign(Double(whole), right)
  }

  private static func sign<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
    left < right ? -1 : left > right ? 1 : 0
  }

  /// The number as values of the attribute type `Float` are compared with it.
  ///
  /// A `Float` is stored as the double of the same value, which has additional digits: 0.7 is
  /// 0.699999988079071. Whole numbers, and numbers beyond its range, stay unchanged.
  var roundedToFloat: StoredNumber {
    guard case .real(let value) = self, Float(value).isFinite else { return self }
    return .real(Double(Float(value)))
  }

  /// The number of a constant in a model; nil for every other constant, and for a number that would
  /// lose digits.
  init?(_ value: ModelValue) {
    switch value {
    case .bool(let flag): self = .integer(flag ? 1 : 0)
    case .integer(let number): self = .integer(number)
    case .unsigned(let number):
      guard let exact = Double(exactly: number) else { return nil }
      self = .real(exact)
    case .real(let number): self = .real(number)
    case .object:
      guard let number = DecimalNumber(value).flatMap(Self.init) else { return nil }
      self = number
    default: return nil
    }
  }

  /// A decimal number that becomes a double with a single rounding, like the stored one: a mantissa
  /// below 2^53, a power of at most 22; nil for all others.
  private init?(_ decimal: DecimalNumber) {
    guard !decimal.isNaN, decimal.mantissa < 1 << 53, (-22...22).contains(decimal.exponent) else {
      return nil
    }
    var power = 1.0
    for _ in 0..<decimal.exponent.magnitude { power *= 10 }
    let mantissa = Double(UInt64(decimal.mantissa))
    let number = decimal.exponent < 0 ? mantissa / power : mantissa * power
    self = .real(decimal.isNegative ? -number : number)
  }
}
