internal import LibrarySupport
internal import TestSupport
internal import Testing

@testable internal import CofferCore

/// The hash of values that must be unique.
@Suite struct TupleHasherTests {
  private struct Bits: Hashable {
    let high: UInt64
    let low: UInt64
  }

  /// Different for SQLite, all of them.
  private static let values: [StoreValue] = [
    0, 1, -1, .integer(.min), .integer(.max), 0.5, -0.5, .real(.infinity), .real(-.infinity),
    .real(0x1p63), .real(.leastNonzeroMagnitude), "", "a", "b", "A", "\u{0}", "\u{0}\u{0}", "1",
    "e\u{301}", "é", "0123456789abcdef", "0123456789abcdef\u{0}", "0123456789abcde", .blob([]),
    .blob([0x61]), .blob([0]), .blob([UInt8](repeating: 0, count: 16)),
    .blob([UInt8](repeating: 0, count: 15)), .blob([UInt8](repeating: 0, count: 17)),
  ]

  @Test func pairsOfDifferentValuesDiffer() {
    var seen: [Bits: [StoreValue]] = [:]
    for first in Self.values {
      for second in Self.values {
        let pair = [first, second]
        if let other = seen.updateValue(pair, forKey: hash(pair)) {
          Issue.record("\(pair) and \(other)")
        }
      }
    }
  }

  @Test func whereAValueEndsMatters() {
    #expect(hash(["a", "bc"]) != hash(["ab", "c"]))
    #expect(hash(["abc", ""]) != hash(["", "abc"]))
    #expect(hash(["abc"]) != hash(["abc", ""]))
  }

  @Test func anIntegerIsTheSameAsAFloatingPointNumber() {
    for value in [0, 1, -1, 1 << 53, -(1 << 62), .min] as [Int64] {
      #expect(hash([.integer(value)]) == hash([.real(Double(value))]))
    }
    #expect(hash([.real(-0.0)]) == hash([0]))
  }

  @Test func equalTuplesAreEqual() {
    for value in Self.values { #expect(hash([value, "x"]) == hash([value, "x"])) }
  }

  @Test func aChangedBitChangesAboutHalfOfTheBits() {
    var changed = (high: 0, low: 0)
    for bit in 0..<64 {
      let (one, other) = (hash([.integer(12345)]), hash([.integer(12345 ^ (1 << Int64(bit)))]))
      changed.high += (one.high ^ other.high).nonzeroBitCount
      changed.low += (one.low ^ other.low).nonzeroBitCount
    }
    #expect((28 * 64...36 * 64).contains(changed.high))
    #expect((28 * 64...36 * 64).contains(changed.low))
  }

  /// The order of findings follows from it, on every system: it must not change by accident.
  @Test func theBlocksAreMixedAsMurmurHash3Does() {
    var hasher = TupleHasher()
    hasher.mix(0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
    hasher.mix(0x1716_1514_1312_1110, 0x1f1e_1d1c_1b1a_1918)
    let bits = hasher.finish()
    #expect(bits.high == 0xc66d_9022_b62f_500f)
    #expect(bits.low == 0x1c05_0a6e_34c3_1151)
  }

  private func hash(_ values: [StoreValue]) -> Bits {
    var hasher = TupleHasher()
    for value in values {
      switch value {
      case .null: break
      case .integer(let number): hasher.add(number)
      case .real(let number): hasher.add(number)
      case .text(let bytes): unsafe bytes.withUnsafeBytes { unsafe hasher.add(text: $0) }
      case .blob(let bytes): unsafe bytes.withUnsafeBytes { unsafe hasher.add(blob: $0) }
      }
    }
    let (high, low) = hasher.finish()
    return Bits(high: high, low: low)
  }
}
