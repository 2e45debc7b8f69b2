/// Hexadecimal digits.
package enum Hexadecimal {
  /// The lower-case digit of a value from 0 to 15.
  package static func lowerDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 &+ value : 0x57 &+ value
  }

  /// The upper-case digit of a value from 0 to 15.
  package static func upperDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 &+ value : 0x37 &+ value
  }

  /// The value of a digit in either case, or nil.
  package static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }

  /// The value of two digits in either case; nil for any others.
  package static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
    guard let high = value(high), let low = value(low) else { return nil }
    return high << 4 | low
  }

  /// Two lower-case digits for each byte.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(
      decoding: bytes.flatMap { [lowerDigit($0 >> 4), lowerDigit($0 & 15)] }, as: UTF8.self)
  }

  /// The 16 lower-case digits of a number.
  package static func digits(of number: UInt64) -> [UInt8] {
    (0..<16).map { lowerDigit(UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * $0)) & 15) }
  }
}
