/// Bech32 as in BIP-173, without its limit on the length.
enum Bech32 {
  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

  /// Decodes a text.
  ///
  /// - Returns: the part before the last `1`, unchanged, and the data; nil for mixed case, a wrong
  ///   checksum, nonzero padding, and any other text that is not Bech32.
  static func decode(_ text: String) -> (prefix: String, data: [UInt8])? {
    let bytes = Array(text.utf8)
    let letters = bytes.map(lowercased)
    guard letters == bytes || bytes.map(uppercased) == bytes,
      bytes.allSatisfy({ (33...126).contains($0) }),
      let separator = bytes.lastIndex(of: UInt8(ascii: "1")), separator > 0
    else { return nil }
    var values: [UInt8] = []
    for letter in letters[(separator + 1)...] {
      guard let value = alphabet.firstIndex(of: letter) else { return nil }
      values.append(UInt8(value))
    }
    guard values.count >= 6, checksum(letters[..<separator], values) == 1,
      let data = regrouped(values.dropLast(6), from: 5, to: 8, padding: false)
    else { return nil }
    return (String(decoding: bytes[..<separator], as: UTF8.self), data)
  }

  static func encode(prefix: String, _ data: [UInt8]) -> String {
    encode(prefix: prefix, values: regrouped(data[...], from: 8, to: 5, padding: true) ?? [])
  }

  static func encode(prefix: String, values: [UInt8]) -> String {
    var values = values
    let sum = checksum(Array(prefix.utf8)[...], values + [0, 0, 0, 0, 0, 0]) ^ 1
    for position in 0..<6 { values.append(UInt8(sum >> UInt32(5 * (5 - position)) & 31)) }
    return prefix + "1" + String(decoding: values.map { alphabet[Int($0)] }, as: UTF8.self)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }

  private static func uppercased(_ byte: UInt8) -> UInt8 {
    (0x61...0x7a).contains(byte) ? byte & ~0x20 : byte
  }

  private static func checksum(_ prefix: ArraySlice<UInt8>, _ values: [UInt8]) -> UInt32 {
    let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
    var sum: UInt32 = 1
    for value in prefix.map({ $0 >> 5 }) + [0] + prefix.map({ $0 & 31 }) + values {
      let top = sum >> 25
      sum = (sum & 0x1ff_ffff) << 5 ^ UInt32(value)
      for (bit, term) in generator.enumerated() where top >> UInt32(bit) & 1 == 1 { sum ^= term }
    }
    return sum
  }

  /// Regroups the bits of values; nil for padding that is too long or nonzero.
  private static func regrouped(
    _ values: ArraySlice<UInt8>, from: UInt32, to: UInt32, padding: Bool
  ) -> [UInt8]? {
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for value in values {
      bits = (bits << from | UInt32(value)) & 0xfff
      count += from
      while count >= to {
        count -= to
        result.append(UInt8(bits >> count & (1 << to - 1)))
      }
    }
    let rest = bits & (1 << count - 1)
    if padding {
      if count > 0 { result.append(UInt8(rest << (to - count) & (1 << to - 1))) }
    } else if count >= from || rest != 0 {
      return nil
    }
    return result
  }
}
