/// Invented texts of a kind.
enum FakeText {
  static func make(
    _ kind: ReplacementRule.FakeKind, for text: String, _ bytes: inout ReplacementBytes
  ) -> String {
    switch kind {
    case .name: return "\(capitalized(word(2, &bytes))) \(capitalized(word(3, &bytes)))"
    case .email: return "\(word(2, &bytes)).\(word(3, &bytes))@example.com"
    case .url: return "https://example.com/\(word(4, &bytes))"
    case .phone:
      let digits = (0..<9).map { _ in String(bytes.next(below: 10)) }.joined()
      return "+00 \(digits)"
    case .words:
      let count = max(1, text.split { $0.isWhitespace }.count)
      return (0..<count).map { _ in word(1 + bytes.next(below: 3), &bytes) }.joined(separator: " ")
    }
  }

  private static func word(_ syllables: Int, _ bytes: inout ReplacementBytes) -> String {
    let (consonants, vowels) = (Array("jkqvwxz"), Array("aeiou"))
    return String(
      (0..<syllables).flatMap { _ in
        [consonants[bytes.next(below: consonants.count)], vowels[bytes.next(below: vowels.count)]]
      })
  }

  private static func capitalized(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }
}
