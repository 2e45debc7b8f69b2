internal import StoreGenerator

/// Makes write-ahead logs and changes them so that their checksums fit, up to some frame.
enum LogMutation {
  private static let header = 32
  private static let frameHeader = 24

  /// A log of frames for a database of small pages.
  static func log(pageSize: Int = 512, frames: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: header + frames * (frameHeader + pageSize))
    put(0x377f_0683, at: 0, in: &bytes)
    put(3_007_000, at: 4, in: &bytes)
    put(UInt32(pageSize), at: 8, in: &bytes)
    put(0x0102_0304, at: 16, in: &bytes)
    put(0x0506_0708, at: 20, in: &bytes)
    for frame in 0..<frames {
      let start = header + frame * (frameHeader + pageSize)
      put(UInt32(frame + 1), at: start, in: &bytes)
      put(frame % 2 == 1 ? UInt32(frames) : 0, at: start + 4, in: &bytes)
      put(0x0102_0304, at: start + 8, in: &bytes)
      put(0x0506_0708, at: start + 12, in: &bytes)
    }
    fixChecksums(&bytes)
    return bytes
  }

  /// Changes a field of the header or of a frame; the checksums behind it fit, or not.
  static func apply(to bytes: inout [UInt8], _ random: inout SeededGenerator) throws {
    guard bytes.count > header + frameHeader, word(0, bytes) & ~1 == 0x377f_0682 else {
      throw BrokenLaw("no log")
    }
    let pageSize = max(512, min(65_536, Int(word(8, bytes))))
    let frame = random.below(max(1, (bytes.count - header) / (frameHeader + pageSize)))
    let start = header + frame * (frameHeader + pageSize)
    let number = UInt32(
      truncatingIfNeeded: ByteMutation.numbers[random.below(ByteMutation.numbers.count)])
    switch random.below(6) {
    case 0: put(number, at: 4 * random.below(8), in: &bytes)
    case 1: put(UInt32(1) << UInt32(random.below(18)), at: 8, in: &bytes)
    case 2: put(number, at: start, in: &bytes)
    case 3: put(number, at: start + 4, in: &bytes)
    case 4: put(number, at: start + frameHeader + 4 * random.below(8), in: &bytes)
    default: bytes[0 + 3] ^= 1
    }
    if random.chance(0.7) { fixChecksums(&bytes) }
  }

  private static func fixChecksums(_ bytes: inout [UInt8]) {
    let isBigEndian = word(0, bytes) & 1 == 1
    let pageSize = Int(word(8, bytes))
    guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return }
    var sum: (UInt32, UInt32) = (0, 0)
    add(bytes[0..<24], isBigEndian, to: &sum)
    put(sum.0, at: 24, in: &bytes)
    put(sum.1, at: 28, in: &bytes)
    var start = header
    while start + frameHeader + pageSize <= bytes.count {
      add(bytes[start..<(start + 8)], isBigEndian, to: &sum)
      add(bytes[(start + frameHeader)..<(start + frameHeader + pageSize)], isBigEndian, to: &sum)
      put(sum.0, at: start + 16, in: &bytes)
      put(sum.1, at: start + 20, in: &bytes)
      start += frameHeader + pageSize
    }
  }

  private static func add(
    _ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool, to sum: inout (UInt32, UInt32)
  ) {
    for start in stride(from: bytes.startIndex, to: bytes.endIndex - 7, by: 8) {
      let words = [start, start + 4].map { place -> UInt32 in
        let word = bytes[place..<(place + 4)].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        return isBigEndian ? word : word.byteSwapped
      }
      sum.0 = sum.0 &+ words[0] &+ sum.1
      sum.1 = sum.1 &+ words[1] &+ sum.0
    }
  }

  private static func word(_ place: Int, _ bytes: [UInt8]) -> UInt32 {
    bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func put(_ word: UInt32, at place: Int, in bytes: inout [UInt8]) {
    for index in 0..<4 where place + index < bytes.count {
      bytes[place + index] = UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * index))
    }
  }
}
