/// A random number generator that repeats: the same seed gives the same numbers on every system.
///
/// SplitMix64 by Sebastiano Vigna (<https://prng.di.unimi.it/splitmix64.c>): fast, and good enough
/// for test data.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator.
  package init(seed: UInt64) { state = seed }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, the limit; 0 where the limit is not positive.
  ///
  /// Much cheaper than `Int.random(in:using:)`, and the same on every version of Swift; the bias is
  /// far below what test data could notice.
  package mutating func below(_ limit: Int) -> Int {
    guard limit > 0 else { return 0 }
    return Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
  }

  /// A number from 0 up to, but not including, 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Whether something of the given probability happens.
  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }
}
