internal import CoreDataModel

/// A number as stored, compared by its exact value regardless of its storage class.
enum StoredNumber: Equatable {
  /// An integer.
  case integer(Int64)
  /// A floating point number.
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
}

extension StoredNumber {
  /// The number as values of the attribute type `Float` are compared with it.
  ///
  /// A `Float` is stored as the double of the same value, which has digits that nobody wrote: 0.7 is
  /// 0.699999988079071. Whole numbers, and those beyond its range, are what they are.
  var roundedToFloat: StoredNumber {
    guard case .real(let value) = self, Float(value).isFinite else { return self }
    return .real(Double(Float(value)))
  }

  /// The number of a constant in a model; nil for every other constant, and for a number of which
  /// not every digit would be kept.
  init?(_ value: ModelValue) {
    switch value {
    case .bool(let flag): self = .integer(flag ? 1 : 0)
    case .integer(let number): self = .integer(number)
    case .unsigned(let number):
      guard let exact = Double(exactly: number) else { return nil }
      self = .real(exact)
    case .real(let number): self = .real(number)
    case .object("NSDecimalNumber", let fields):
      guard let number = Self.decimal(fields) else { return nil }
      self = number
    default: return nil
    }
  }

  /// An archived decimal number: a mantissa in units of 16 bits, and a power of ten.
  ///
  /// Supports numbers whose double is rounded only once, like the store's own: a mantissa below
  /// 2^53 and a power of at most 22.
  private static func decimal(_ fields: [ExactString: ModelValue]) -> StoredNumber? {
    guard case .data(let bytes)? = fields["NS.mantissa"], bytes.count == 16,
      case .integer(let exponent)? = fields["NS.exponent"], (-22...22).contains(exponent),
      // 1 means little-endian.
      fields["NS.mantissa.bo"] ?? .integer(1) == .integer(1)
    else { return nil }
    var mantissa: UInt64 = 0
    for (place, byte) in bytes.enumerated() where byte != 0 {
      guard place < 7 else { return nil }
      mantissa |= UInt64(byte) << UInt64(8 * place)
    }
    guard mantissa < 1 << 53 else { return nil }
    var power = 1.0
    for _ in 0..<exponent.magnitude { power *= 10 }
    let number = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    let isNegative = fields["NS.negative"] == .bool(true) || fields["NS.negative"] == .integer(1)
    return .real(isNegative ? -number : number)
  }
}
