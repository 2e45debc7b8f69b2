internal import StoreGenerator

/// Changes bytes without knowing their meaning.
struct ByteMutation {
  /// Words of the form.
  let words: [String]
  /// Another input, to take pieces from.
  let other: [UInt8]

  /// Numbers at the edges of types and sizes.
  static let numbers: [Int64] = [
    0, 1, -1, 2, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 255, 256, 511, 512, 513, 1023, 1024,
    4095, 4096, 32_767, 32_768, 65_535, 65_536, 1 << 20, (1 << 31) - 1, 1 << 31, (1 << 32) - 1,
    1 << 32, (1 << 53) - 1, 1 << 53, .max, .min, .max - 1, -2, -128, -32_768, -(1 << 31),
  ]
  private static let texts = [
    "-0", "0.0", "1e308", "1e-400", "9223372036854775808", "-9223372036854775809", "1e999", "00",
    "18446744073709551615", "340282366920938463463374607431768211456", "0.1e1", "NaN", "-",
  ]

  /// Changes some bytes once.
  func apply(to bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else {
      bytes = other.isEmpty ? [UInt8(random.below(256))] : other
      return
    }
    let start = random.below(bytes.count)
    let range = start..<min(bytes.count, start + 1 + Self.length(&random))
    switch random.below(14) {
    case 0: bytes[start] ^= 1 << UInt8(random.below(8))
    case 1: bytes[start] = UInt8(random.below(256))
    case 2: bytes[start] = bytes[start] &+ UInt8(truncatingIfNeeded: random.below(71) - 35)
    case 3: bytes.removeSubrange(range)
    case 4: bytes.insert(contentsOf: Array(bytes[range]), at: random.below(bytes.count + 1))
    case 5: bytes.removeSubrange(start...)
    case 6: for place in range { bytes[place] = UInt8(random.below(256)) }
    case 7: writeNumber(to: &bytes, at: start, &random)
    case 8: replaceDigits(in: &bytes, from: start, &random)
    case 9 where !words.isEmpty:
      let word = Array(words[random.below(words.count)].utf8)
      if random.chance(0.5) {
        bytes.insert(contentsOf: word, at: start)
      } else {
        bytes.replaceSubrange(start..<min(bytes.count, start + word.count), with: word)
      }
    case 10 where !other.isEmpty: splice(&bytes, at: start, &random)
    case 11:
      let piece = Array(bytes[range])
      for _ in 0..<(1 << random.below(9)) { bytes.insert(contentsOf: piece, at: start) }
    case 12:
      let target = random.below(bytes.count)
      for place in range where place - start + target < bytes.count {
        bytes[place - start + target] = bytes[place]
      }
    default: bytes.insert(UInt8(random.below(256)), at: start)
    }
  }

  /// Mostly a few bytes, seldom many.
  private static func length(_ random: inout SeededGenerator) -> Int {
    random.below(random.chance(0.8) ? 16 : 512)
  }

  private func writeNumber(
    to bytes: inout [UInt8], at start: Int, _ random: inout SeededGenerator
  ) {
    let number = Self.numbers[random.below(Self.numbers.count)]
    let width = 1 << random.below(4)
    let isBigEndian = random.chance(0.5)
    for index in 0..<min(width, bytes.count - start) {
      let shift = 8 * (isBigEndian ? width - 1 - index : index)
      bytes[start + index] = UInt8(truncatingIfNeeded: number >> shift)
    }
  }

  /// Puts another number in the place of one in digits.
  private func replaceDigits(
    in bytes: inout [UInt8], from start: Int, _ random: inout SeededGenerator
  ) {
    guard let digit = bytes[start...].firstIndex(where: { (0x30...0x39).contains($0) }) else {
      return
    }
    let end = bytes[digit...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
    let text =
      random.chance(0.5)
      ? Self.texts[random.below(Self.texts.count)]
      : String(Self.numbers[random.below(Self.numbers.count)])
    bytes.replaceSubrange(digit..<end, with: text.utf8)
  }

  /// Inserts a piece of the other input, or continues with its rest.
  private func splice(
    _ bytes: inout [UInt8], at start: Int, _ random: inout SeededGenerator
  ) {
    let from = random.below(other.count)
    if random.chance(0.3) {
      bytes.replaceSubrange(start..., with: other[from...])
    } else {
      let end = min(other.count, from + 1 + Self.length(&random))
      bytes.insert(contentsOf: other[from..<end], at: start)
    }
  }
}
