/// Default values as a model source writes them.
enum SourceDefault {
  /// The value in the compiled model; nil if there is none.
  ///
  /// Numbers are read as the compiler does: text that is not a number becomes 0 (store-format,
  /// section 4).
  static func value(_ element: SourceElement, type: AttributeType) -> ModelValue? {
    if type == .date {
      return element["defaultDateTimeInterval"].flatMap(Double.init).map { .date($0) }
    }
    guard let text = element["defaultValueString"] else { return nil }
    switch type {
    case .integer16, .integer32, .integer64: return .integer(integer(text))
    case .double, .float: return .real(Double(text) ?? 0)
    case .decimal: return decimal(text)
    case .boolean: return .bool(text == "YES")
    case .uuid: return .uuid(text.uppercased())
    case .uri: return .url(text)
    default: return .string(text)
    }
  }

  /// The XML attribute that gives a default value; nil if there is no default or a source cannot
  /// express it.
  static func attribute(_ value: ModelValue?, type: AttributeType) -> (String, String)? {
    switch (type, value) {
    case (.date, .date(let seconds)?):
      return ("defaultDateTimeInterval", Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)")
    case (.date, _): return nil
    case (.boolean, .bool(let value)?): return ("defaultValueString", value ? "YES" : "NO")
    case (.boolean, .integer(let number)?) where number == 0 || number == 1:
      return ("defaultValueString", number == 1 ? "YES" : "NO")
    case (_, .integer(let number)?): return ("defaultValueString", String(number))
    case (_, .real(let number)?): return ("defaultValueString", number.description)
    case (_, .string(let text)?), (_, .uuid(let text)?), (_, .url(let text)?):
      return ("defaultValueString", text)
    case (.decimal, .object("NSDecimalNumber", let fields)?):
      return decimalText(fields).map { ("defaultValueString", $0) }
    default: return nil
    }
  }

  /// The integer at the beginning of a text, clamped to the range; 0 if there is none.
  private static func integer(_ text: String) -> Int64 {
    if let number = Int64(text) { return number }
    guard let number = Double(text), !number.isNaN else { return 0 }
    return Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
  }

  // MARK: Decimal numbers

  /// A decimal number in an archive: up to 16 bytes of mantissa, a power of ten, a sign.
  ///
  /// Excess digits are dropped; text that is not a number becomes 0.
  private static func decimal(_ text: String) -> ModelValue {
    var mantissa = [UInt8](repeating: 0, count: 16)
    var exponent = 0
    var bytes = Array(text.utf8)[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
    var isFraction = false
    var isFull = false
    digits: while let byte = bytes.first {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        isFull = isFull || !append(byte - UInt8(ascii: "0"), to: &mantissa)
        if isFraction != isFull { exponent += isFull ? 1 : -1 }
      case UInt8(ascii: ".") where !isFraction: isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        let power = Int(String(decoding: bytes.dropFirst(), as: UTF8.self)) ?? 0
        exponent += min(max(power, -128), 127)
        break digits
      default: break digits
      }
      bytes = bytes.dropFirst()
    }
    let isZero = mantissa.allSatisfy { $0 == 0 }
    return .object(
      className: "NSDecimalNumber",
      fields: [
        "NS.mantissa": .data(mantissa), "NS.mantissa.bo": .integer(1),
        "NS.exponent": .integer(isZero ? 0 : Int64(min(max(exponent, -128), 127))),
        "NS.negative": .bool(isNegative && !isZero), "NS.compact": .bool(true),
        "NS.length": .integer(Int64(8 - mantissa.reversed().prefix { $0 == 0 }.count / 2)),
      ])
  }

  /// The digits of an archived decimal number; nil if its fields are not as expected.
  private static func decimalText(_ fields: [ExactString: ModelValue]) -> String? {
    guard case .data(var mantissa)? = fields["NS.mantissa"], mantissa.count <= 16,
      case .integer(let exponent)? = fields["NS.exponent"], (-128...127).contains(exponent)
    else { return nil }
    var digits: [UInt8] = []
    while mantissa.contains(where: { $0 != 0 }) { digits.append(removeDigit(from: &mantissa)) }
    let fraction = max(0, -Int(exponent))
    while digits.count <= fraction { digits.append(0) }
    var text = digits.reversed().map { String($0) }
    if fraction > 0 { text.insert(".", at: text.count - fraction) }
    let sign = fields["NS.negative"] == .bool(true) ? "-" : ""
    return sign + text.joined() + (exponent > 0 ? "e\(exponent)" : "")
  }

  /// Removes the last digit of a number, lower bytes first.
  private static func removeDigit(from mantissa: inout [UInt8]) -> UInt8 {
    var rest: UInt16 = 0
    for place in mantissa.indices.reversed() {
      rest = rest << 8 | UInt16(mantissa[place])
      mantissa[place] = UInt8(truncatingIfNeeded: rest / 10)
      rest %= 10
    }
    return UInt8(truncatingIfNeeded: rest)
  }

  /// Appends a digit to a number, lower bytes first; false if there is no room.
  private static func append(_ digit: UInt8, to mantissa: inout [UInt8]) -> Bool {
    var carry = UInt16(digit)
    var longer = mantissa
    for place in longer.indices {
      carry += UInt16(longer[place]) * 10
      longer[place] = UInt8(truncatingIfNeeded: carry)
      carry >>= 8
    }
    if carry == 0 { mantissa = longer }
    return carry == 0
  }
}
