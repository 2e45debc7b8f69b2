/// Random numbers that repeat: the same seed gives the same ones on every system.
///
/// SplitMix64 by Sebastiano Vigna (<https://prng.di.unimi.it/splitmix64.c>).
package struct SeededRandom {
  private var state: UInt64

  /// Begins with a seed.
  package init(_ seed: UInt64) { state = seed }

  /// A seed that follows from another one and from names.
  package static func seed(_ seed: UInt64, _ names: String...) -> UInt64 {
    var hash = mixed(seed)
    for name in names {
      for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = mixed(hash)
    }
    return hash
  }

  /// A number that looks random; no other number has the same.
  ///
  /// Every bit of the number changes half of the result's. Where the parts of an archive end depends on
  /// it.
  package static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The next number.
  package mutating func next() -> UInt64 {
    defer { state &+= 0x9E37_79B9_7F4A_7C15 }
    return Self.mixed(state)
  }

  /// A number from 0 up to, but not including, the limit; 0 where the limit is not positive.
  package mutating func below(_ limit: Int) -> Int {
    guard limit > 0 else { return 0 }
    return Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
  }

  /// A number of a range.
  package mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
    let (span, isWhole) = UInt64(bitPattern: range.upperBound &- range.lowerBound)
      .addingReportingOverflow(1)
    let distance = isWhole ? next() : next().multipliedFullWidth(by: span).high
    return range.lowerBound &+ Int64(bitPattern: distance)
  }

  /// A number from 0 up to, but not including, 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Whether something of a probability happens.
  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// One of several elements; nil if there is none.
  package mutating func pick<T>(_ elements: [T]) -> T? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }

  /// Brings elements into a random order.
  package mutating func shuffle<T>(_ elements: inout [T]) {
    for index in elements.indices.reversed() where index > 0 {
      elements.swapAt(index, below(index + 1))
    }
  }
}
