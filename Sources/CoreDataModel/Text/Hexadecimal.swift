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

  /// The four bytes of eight digits in either case; nil for any others.
  ///
  /// - Parameter digits: as they lie in memory, the first in the lowest byte.
  /// - Returns: the bytes, the first in the lowest byte.
  package static func bytes(ofDigits digits: UInt64) -> UInt32? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // Letters have bit 6, and the lower half of A and a is 1.
    let values = (digits & 0x0F0F_0F0F_0F0F_0F0F) &+ (digits >> 6 & ones) &* 9
    guard values & 0xF0F0_F0F0_F0F0_F0F0 == 0 else { return nil }
    let letters = (values &+ ones &* 6) >> 4 & ones
    // Written again, in upper case, they must be the same.
    guard digits & ~(letters &* 0x20) == values &+ ones &* 0x30 &+ letters &* 7 else { return nil }
    var pairs = (values << 4 | values >> 8) & 0x00FF_00FF_00FF_00FF
    pairs = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: pairs | pairs >> 16)
  }

  /// The value of two digits in either case; nil for any others.
  package static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
    guard let high = value(high), let low = value(low) else { return nil }
    return high << 4 | low
  }

  /// Two lower-case digits for each byte.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.flatMap { [lowerDigit($0 >> 4), lowerDigit($0 & 15)] }, as: UTF8.self)
  }

  /// The 16 lower-case digits of a number.
  package static func digits(of number: UInt64) -> [UInt8] {
    (0..<16).map { lowerDigit(UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * $0)) & 15) }
  }
}
