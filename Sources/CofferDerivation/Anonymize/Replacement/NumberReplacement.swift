/// Replaces numbers: the sign, the number of digits and the number of decimals are kept.
struct NumberReplacement {
  private let key: ReplacementKey

  /// Whole numbers below it are usually indexes or counts, and are kept.
  static let smallest = 1000
  /// The number of attempts after which a whole number may have any number of digits, and any other
  /// number gets one more.
  private static let attemptsPerLength = 48
  private static let coordinateUnit = 1e6
  /// Powers of ten of 64 bits.
  private static let powers = (1...19).reduce(into: [1 as UInt64]) { list, _ in
    list.append(list[list.count - 1] &* 10)
  }

  init(_ key: ReplacementKey) { self.key = key }

  static func stays(_ number: Int64) -> Bool { number.magnitude < UInt64(smallest) }

  /// A whole number with the same number of digits, which fits the type.
  func whole(_ number: Int64, attempt: Int = 0) -> Int64 {
    if Self.stays(number) { return number }
    let magnitude = min(number.magnitude, UInt64(Int64.max))
    // The magnitude of a type's smallest number is unique.
    let largest: UInt64 =
      if Int16(exactly: number) != nil {
        UInt64(Int16.max)
      } else if Int32(exactly: number) != nil {
        UInt64(Int32.max)
      } else {
        UInt64(Int64.max)
      }
    var (low, high) = (UInt64(Self.smallest), largest)
    if attempt < Self.attemptsPerLength, let end = Self.powers.firstIndex(where: { $0 > magnitude })
    {
      (low, high) = (Self.powers[end - 1], min(Self.powers[end] - 1, largest))
    }
    let picked = low + random("\(number)", attempt) % (high - low + 1)
    let result = Int64(clamping: picked)
    return number < 0 ? -result : result
  }

  /// A number with the same sign and number of digits, the same one for the same number and attempt.
  func real(_ number: Double, attempt: Int = 0, keepsSmall: Bool = true) -> Double {
    guard number.isFinite else { return number }
    if let whole = Int64(exactly: number), keepsSmall || !Self.stays(whole) {
      return Double(self.whole(whole, attempt: attempt))
    }
    var text = Array("\(number)".utf8)
    if !text.contains(UInt8(ascii: "e")) {
      text += [UInt8](repeating: UInt8(ascii: "1"), count: attempt / Self.attemptsPerLength)
    }
    let result = Double(String(decoding: digits(text, attempt: attempt), as: UTF8.self))
    return result.flatMap { $0.isFinite ? $0 : nil } ?? 0
  }

  /// A number in the form of a text with other digits before its exponent.
  func digits(_ text: [UInt8], attempt: Int = 0) -> [UInt8] {
    var bytes = ReplacementBytes(key.code(text, .number, attempt: attempt))
    var (isFirst, isExponent) = (true, false)
    return text.map { character in
      isExponent = isExponent || character == UInt8(ascii: "e") || character == UInt8(ascii: "E")
      guard !isExponent, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character),
        !isFirst || character != UInt8(ascii: "0")
      else { return character }
      defer { isFirst = false }
      return UInt8(ascii: "0") + UInt8(isFirst ? 1 + bytes.next(below: 9) : bytes.next(below: 10))
    }
  }

  /// A number between a bound and its negative, independent of another one.
  func coordinate(_ number: Double, within bound: Double, attempt: Int = 0) -> Double {
    let share = Double(random("@\(bound):\(number)", attempt) >> 11) / 0x1p53
    return ((2 * share - 1) * bound * Self.coordinateUnit).rounded() / Self.coordinateUnit
  }

  private func random(_ text: String, _ attempt: Int) -> UInt64 {
    key.code(Array(text.utf8), .number, attempt: attempt).prefix(8)
      .reduce(0) { $0 << 8 | UInt64($1) }
  }
}
