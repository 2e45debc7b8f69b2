internal import CofferCore

/// Makes texts of words that occur in no language.
struct FixtureTexts {
  private let rules: FixtureRules

  init(_ rules: FixtureRules) { self.rules = rules }

  /// The word for a number: `xq`, which no word begins with, then syllables.
  static func word(_ number: UInt64) -> String {
    let (consonants, vowels) = (Array("bdfgjklmnprstvwz"), Array("aeiou"))
    var rest = number
    var word = "xq"
    for _ in 0..<(1 + Int(number >> 62)) {
      word.append(vowels[Int(rest % 5)])
      rest /= 5
      word.append(consonants[Int(rest % 16)])
      rest /= 16
    }
    return word
  }

  /// A text of some words, or one that the validations allow.
  func text(words count: Int, _ random: inout SeededRandom) -> [UInt8] {
    if let pattern = rules.pattern { return Array(pattern.text { random.below($0) }.utf8) }
    let words = (0..<count).map { _ in Self.word(random.next()) }
    return rules.fit(Array(words.joined(separator: " ").utf8))
  }

  /// A text of some length, or one that the validations allow.
  func text(length: Int, _ random: inout SeededRandom) -> [UInt8] {
    if rules.pattern != nil { return text(words: 1, &random) }
    var text: [UInt8] = []
    while text.count < length { text += Array("\(Self.word(random.next())) ".utf8) }
    if text.count > length { text.removeLast(text.count - length) }
    // No space at the end, and no digits elsewhere.
    if text.last == 0x20 { text[text.count - 1] = 0x78 }
    return rules.fit(text)
  }

  // MARK: Different texts

  private static let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// The number of different texts.
  var distinctCount: Int {
    if let pattern = rules.pattern { return pattern.count }
    let room = room
    guard room < 12 else { return .max }
    return (0..<room).reduce(1) { count, _ in count * Self.letters.count }
  }

  /// The number of characters that are free.
  private var room: Int {
    let fixed = rules.prefix.count + rules.parts.count + rules.suffix.count
    let length = rules.range(within: 0...Int64(Int32.max))?.upperBound ?? 0
    return max(0, Int(length) - fixed)
  }

  func distinct(_ number: Int) -> [UInt8] {
    var rest = number
    if let pattern = rules.pattern {
      let text = pattern.text { count in
        defer { rest /= max(1, count) }
        return rest % max(1, count)
      }
      return Array(text.utf8)
    }
    if room >= 24 { return rules.fit(Array("\(Self.word(UInt64(number) << 8)) \(number)".utf8)) }
    let width = min(room, 12)
    let least = max(1, Int(rules.range(within: 0...Int64(Int32.max))?.lowerBound ?? 0))
    let fixed = rules.prefix.count + rules.parts.count + rules.suffix.count
    var digits: [UInt8] = []
    for _ in 0..<max(width, least - fixed) {
      digits.append(Self.letters[rest % Self.letters.count])
      rest /= Self.letters.count
    }
    return rules.fit(digits.reversed())
  }
}
