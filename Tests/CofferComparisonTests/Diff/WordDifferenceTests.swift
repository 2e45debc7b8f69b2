internal import StoreGenerator
internal import Testing

@testable internal import CofferReports

/// Differing words are marked, at a bounded cost.
@Suite struct WordDifferenceTests {
  /// The pieces of both texts, differing pieces in brackets.
  private func marks(_ old: String, _ new: String) -> [String] {
    let words = WordDifference(old, new)
    return [words.old, words.new].map { pieces in
      pieces.map { $0.isCommon ? $0.text : "[\($0.text)]" }.joined()
    }
  }

  @Test func onlyTheWordsThatDifferAreMarked() {
    #expect(
      marks("the quick brown fox", "the slow brown fox")
        == ["the [quick] brown fox", "the [slow] brown fox"])
    #expect(marks("a b c", "a c") == ["a [b ]c", "a c"])
    #expect(marks("", "new") == ["", "[new]"])
    #expect(marks("same", "same") == ["same", "same"])
    #expect(marks("1, 2, 3", "1, 3, 4") == ["1, [2], [3]", "1, [3], [4]"])
    // The same letter, composed in another way.
    #expect(marks("caf\u{E9} now", "cafe\u{301} now") == ["[caf\u{E9}] now", "[cafe\u{301}] now"])
  }

  @Test func piecesMakeUpTheTextsAndCommonOnesAreTheSame() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      func text() -> String {
        (0..<random.below(30)).map { _ in ["a", "b", "cc", " ", ".", "é"][random.below(6)] }
          .joined()
      }
      let (old, new) = (text(), text())
      let words = WordDifference(old, new)
      #expect(words.old.map(\.text).joined() == old)
      #expect(words.new.map(\.text).joined() == new)
      let common = [words.old, words.new].map { $0.filter(\.isCommon).map(\.text).joined() }
      #expect(common[0] == common[1], "\(old) | \(new)")
    }
  }

  @Test func wherePlentyDiffersOnlyTheEndsAreCommon() {
    let old = "start " + (0..<500).map { "a\($0)" }.joined(separator: " ") + " end"
    let new = "start " + (0..<500).map { "b\($0)" }.joined(separator: " ") + " end"
    let words = WordDifference(old, new)
    #expect(words.old.filter(\.isCommon).map(\.text) == ["start ", " end"])
  }
}
