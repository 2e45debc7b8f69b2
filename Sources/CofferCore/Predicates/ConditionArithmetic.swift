internal import Foundation

/// An operator of two numbers, by the name of Foundation's function.
enum ArithmeticOperator: String, CaseIterable {
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case power = "raise:toPower:"
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"

  /// Whether it takes integers alone.
  var isBitwise: Bool {
    switch self {
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift: true
    default: false
    }
  }

  /// The result for two numbers of a kind; nil without a result, such as after a division by zero.
  ///
  /// Integers give an integer, truncated, or a double if it is too large.
  func result(_ left: StoredNumber, _ right: StoredNumber, _ kind: NumberKind) -> StoredNumber? {
    if self == .divide || self == .modulus, right.double == 0 { return nil }
    switch (kind, left, right) {
    case (.integer, .integer(let left), .integer(let right)):
      if let result = integer(left, right) { return .integer(result) }
    case (.decimal, _, _) where self != .power && self != .modulus:
      if let result = decimal(left, right) { return result }
    default: break
    }
    let (left, right) = (left.double, right.double)
    switch self {
    case .add: return .finite(left + right)
    case .subtract: return .finite(left - right)
    case .multiply: return .finite(left * right)
    case .divide: return .finite(left / right)
    case .modulus: return .finite(left.truncatingRemainder(dividingBy: right))
    case .power: return .finite(pow(left, right))
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift: return nil
    }
  }

  private func integer(_ left: Int64, _ right: Int64) -> Int64? {
    func unless(_ result: (partialValue: Int64, overflow: Bool)) -> Int64? {
      result.overflow ? nil : result.partialValue
    }
    switch self {
    case .add: return unless(left.addingReportingOverflow(right))
    case .subtract: return unless(left.subtractingReportingOverflow(right))
    case .multiply: return unless(left.multipliedReportingOverflow(by: right))
    case .divide: return unless(left.dividedReportingOverflow(by: right))
    case .modulus: return unless(left.remainderReportingOverflow(dividingBy: right))
    case .power:
      guard (0...62).contains(right) else { return nil }
      return (0..<right).reduce(Int64?(1)) { power, _ in
        power.flatMap { unless($0.multipliedReportingOverflow(by: left)) }
      }
    case .bitwiseAnd: return left & right
    case .bitwiseOr: return left | right
    case .bitwiseXor: return left ^ right
    // Bits that are shifted out are lost, and a negative shift goes in the opposite direction.
    case .leftShift: return left << right
    case .rightShift: return left >> right
    }
  }

  /// The result with 38 decimal digits, rounded once to the double that a store would keep of it.
  private func decimal(_ left: StoredNumber, _ right: StoredNumber) -> StoredNumber? {
    guard let left = left.decimal, let right = right.decimal else { return nil }
    let result =
      switch self {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      default: left / right
      }
    guard !result.isNaN, let number = Double(result.description) else { return nil }
    return .finite(number)
  }
}

extension StoredNumber {
  var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    }
  }

  /// The decimal number of the shortest text; nil for one that is too large or too small.
  fileprivate var decimal: Decimal? {
    switch self {
    case .integer(let value): Decimal(value)
    case .real(let value):
      value == 0 || (1e-60...1e60).contains(value.magnitude)
        ? Decimal(string: value.description, locale: nil) : nil
    }
  }

  /// A number; nil if it is not finite.
  static func finite(_ value: Double) -> StoredNumber? { value.isFinite ? .real(value) : nil }
}
