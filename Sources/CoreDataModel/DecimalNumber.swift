/// A decimal number as Foundation keeps it: a whole number of up to 128 bits times a power of ten.
package struct DecimalNumber: Sendable, Equatable {
  /// The digits as a whole number.
  package let mantissa: UInt128
  /// The power of ten, from -128 to 127.
  package let exponent: Int
  /// Whether the number is below zero; zero and this together are "not a number".
  package let isNegative: Bool

  static let className = "NSDecimalNumber"
  /// The class that Foundation uses to allocate a decimal number, and may archive.
  static let placeholderClassName = "NSDecimalNumberPlaceholder"
  private static let exponents = -128...127

  /// Whether this is Foundation's "not a number".
  package var isNaN: Bool { isNegative && mantissa == 0 }

  /// The number that a value of a model is an archive of; nil for all other values, and for fields
  /// that are not as expected.
  package init?(_ value: ModelValue) {
    guard case .object(let className, let fields) = value,
      className == Self.className || className == Self.placeholderClassName,
      case .data(let bytes)? = fields["NS.mantissa"], bytes.count <= 16,
      case .integer(let exponent)? = fields["NS.exponent"],
      let exponent = Int(exactly: exponent), Self.exponents.contains(exponent)
    else { return nil }
    // Words of 16 bits, lower ones first; words beyond the length are undefined.
    let isBigEndian = fields["NS.mantissa.bo"] == .integer(2)
    var wordCount = bytes.count / 2
    if case .integer(let length)? = fields["NS.length"], let length = Int(exactly: length) {
      wordCount = min(max(length, 0), wordCount)
    }
    var mantissa: UInt128 = 0
    for word in (0..<wordCount).reversed() {
      let (first, second) = (UInt128(bytes[2 * word]), UInt128(bytes[2 * word + 1]))
      mantissa = mantissa << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
    }
    self.mantissa = mantissa
    self.exponent = exponent
    isNegative = fields["NS.negative"] == .bool(true) || fields["NS.negative"] == .integer(1)
  }

  /// The number at the beginning of a text; 0 if there is none.
  ///
  /// Digits that do not fit are dropped.
  package init(parsing text: String) {
    var (mantissa, exponent): (UInt128, Int) = (0, 0)
    var bytes = Array(text.utf8)[...]
    let hasMinus = bytes.first == UInt8(ascii: "-")
    if hasMinus || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    var (isFraction, isFull) = (false, false)
    digits: while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (tenfold, isTooLarge) = mantissa.multipliedReportingOverflow(by: 10)
        let (longer, hasCarry) = tenfold.addingReportingOverflow(UInt128(byte & 15))
        isFull = isFull || isTooLarge || hasCarry
        if !isFull { mantissa = longer }
        if isFraction != isFull { exponent += isFull ? 1 : -1 }
      case UInt8(ascii: ".") where !isFraction: isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        let power = Int(String(decoding: bytes, as: UTF8.self)) ?? 0
        exponent += min(max(power, Self.exponents.lowerBound), Self.exponents.upperBound)
        break digits
      default: break digits
      }
    }
    self.mantissa = mantissa
    self.exponent =
      mantissa == 0
      ? 0 : min(max(exponent, Self.exponents.lowerBound), Self.exponents.upperBound)
    isNegative = hasMinus && mantissa != 0
  }

  /// The number as an archive has it.
  package var archived: ModelValue {
    let bytes = (0..<16).map { UInt8(truncatingIfNeeded: mantissa >> UInt128(8 * $0)) }
    let length = (UInt128.bitWidth - mantissa.leadingZeroBitCount + 15) / 16
    return .object(
      className: Self.className,
      fields: [
        "NS.mantissa": .data(bytes), "NS.mantissa.bo": .integer(1),
        "NS.exponent": .integer(Int64(exponent)), "NS.negative": .bool(isNegative),
        "NS.compact": .bool(true), "NS.length": .integer(Int64(length)),
      ])
  }

  /// The nearest double; NaN for "not a number".
  package var real: Double {
    guard !isNaN else { return .nan }
    // By way of a text, so that 5 and -1 give the double that is nearest to 0.5.
    return Double("\(isNegative ? "-" : "")\(mantissa)e\(exponent)") ?? .nan
  }

  /// The number in digits: `12.50`, `-0.0003`, `7000`, `NaN`.
  package var text: String { text { String(repeating: "0", count: $0) } }

  /// Like ``text``, with a power of ten where it is above 0, so that it reads as the same digits
  /// again: `12.50`, `7e3`.
  package var exactText: String { text { "e\($0)" } }

  private func text(withPower power: (Int) -> String) -> String {
    guard !isNaN else { return "NaN" }
    var digits = Array(String(mantissa))
    if exponent < 0 {
      digits.insert(
        contentsOf: repeatElement("0", count: max(0, 1 - exponent - digits.count)), at: 0)
      digits.insert(".", at: digits.count + exponent)
    }
    return (isNegative ? "-" : "") + String(digits) + (exponent > 0 ? power(exponent) : "")
  }
}
