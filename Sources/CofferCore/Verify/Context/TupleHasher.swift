internal import CoreDataStore

/// Hashes the values of several columns to 128 bits, the same on every run and every system.
///
/// Values that SQLite treats as equal in an index have equal hashes: an integer and a floating
/// point number of the same value, texts or blobs with the same bytes. The algorithm is MurmurHash3
/// for 128 bits (Austin Appleby, public domain), with a block for each number and, for texts and
/// blobs, one for the length before the bytes. With a hundred million tuples, the probability of a
/// collision is below 10^-22. It does not protect against deliberate collisions.
package struct TupleHasher {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var blockCount: UInt64 = 0

  package init() {}

  /// The tag before a value, so that values of different classes differ.
  private enum Tag {
    static let integer: UInt64 = 1
    static let real: UInt64 = 2
    static let text: UInt64 = 3
    static let blob: UInt64 = 4
  }

  /// Adds a value of a row; returns false, without adding anything, if the value is missing or not borrowed.
  package mutating func add(_ row: Row, _ column: Int) -> Bool {
    switch row.storageClass(column) {
    case .null: return false
    case .integer: add(row.integer(column) ?? 0)
    case .real: add(row.number(column) ?? 0)
    case .text:
      guard let bytes = unsafe row.bytes(column) else { return false }
      unsafe add(text: bytes)
    case .blob:
      guard let bytes = unsafe row.bytes(column) else { return false }
      unsafe add(blob: bytes)
    }
    return true
  }

  /// Adds an integer.
  package mutating func add(_ value: Int64) { mix(Tag.integer, UInt64(bitPattern: value)) }

  /// Adds a floating point number; a whole number as an integer.
  mutating func add(_ value: Double) {
    if let integer = Int64(exactly: value) { return add(integer) }
    mix(Tag.real, value.bitPattern)
  }

  mutating func add(text: UnsafeRawBufferPointer) { unsafe add(text, Tag.text) }

  /// Adds a blob.
  package mutating func add(blob: UnsafeRawBufferPointer) { unsafe add(blob, Tag.blob) }

  private mutating func add(_ bytes: UnsafeRawBufferPointer, _ tag: UInt64) {
    mix(tag, UInt64(bytes.count))
    var read = 0
    while bytes.count &- read >= 16 {
      unsafe mix(
        bytes.loadUnaligned(fromByteOffset: read, as: UInt64.self).littleEndian,
        bytes.loadUnaligned(fromByteOffset: read &+ 8, as: UInt64.self).littleEndian)
      read &+= 16
    }
    guard read < bytes.count else { return }
    var words: (UInt64, UInt64) = (0, 0)
    for place in 0..<(bytes.count &- read) {
      let byte = unsafe UInt64(bytes[read &+ place])
      if place < 8 {
        words.0 |= byte << UInt64(place &* 8)
      } else {
        words.1 |= byte << UInt64((place &- 8) &* 8)
      }
    }
    mix(words.0, words.1)
  }

  /// The 128 bits.
  package func finish() -> (high: UInt64, low: UInt64) {
    var (first, second) = (first ^ (blockCount &* 16), second ^ (blockCount &* 16))
    first &+= second
    second &+= first
    first = Self.avalanche(first)
    second = Self.avalanche(second)
    first &+= second
    second &+= first
    return (first, second)
  }

  /// Mixes in a block of 16 bytes.
  package mutating func mix(_ low: UInt64, _ high: UInt64) {
    let multipliers: (UInt64, UInt64) = (0x87c3_7b91_1142_53d5, 0x4cf5_ad43_2745_937f)
    first ^= Self.rotate(low &* multipliers.0, 31) &* multipliers.1
    first = (Self.rotate(first, 27) &+ second) &* 5 &+ 0x52dc_e729
    second ^= Self.rotate(high &* multipliers.1, 33) &* multipliers.0
    second = (Self.rotate(second, 31) &+ first) &* 5 &+ 0x3849_5ab5
    blockCount &+= 1
  }

  private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
    word << count | word >> (64 &- count)
  }

  private static func avalanche(_ word: UInt64) -> UInt64 {
    var word = word
    word = (word ^ (word >> 33)) &* 0xff51_afd7_ed55_8ccd
    word = (word ^ (word >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return word ^ (word >> 33)
  }
}
