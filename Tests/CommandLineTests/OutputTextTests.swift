internal import CofferKit
internal import CoreDataModel
internal import Testing

@testable internal import coffer

@Suite struct OutputTextTests {
  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
  func countsHaveTheirDigitsInGroups(_ number: Int, _ text: String) {
    #expect(QuantityText.count(number) == text)
  }

  @Test(
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1049, "1.0 kB"),
      (999_949, "999.9 kB"), (999_950, "1.0 MB"), (12_345_678, "12.3 MB"),
      (Int.max, "9.2 EB"),
    ])
  func bytesHaveDecimalUnits(_ number: Int, _ text: String) {
    #expect(QuantityText.bytes(number) == text)
  }

  @Test(arguments: [(0, "0:00"), (7, "0:07"), (754, "12:34"), (3723, "1:02:03")])
  func durationsAreClocks(_ seconds: Int, _ text: String) {
    #expect(QuantityText.duration(seconds: seconds) == text)
  }

  @Test(
    arguments: [
      (["--json", "export", "a"], ["export", "--json", "a"]),
      (["-q", "--color=never", "diff", "a"], ["diff", "-q", "--color=never", "a"]),
      (["--progress", "never", "diff"], ["diff", "--progress", "never"]),
      (["--json"], ["--json"]), (["--version"], ["--version"]),
      (["--json", "--help"], ["--json", "--help"]),
      (["export", "--json"], ["export", "--json"]), ([], []),
    ])
  func optionsMayStandBeforeTheCommand(_ given: [String], _ moved: [String]) {
    #expect(LeadingOptions.moved(given) == moved)
  }

  @Test(
    arguments: [
      ("export", "export", 0), ("exprot", "export", 1), ("", "diff", 4), ("dif", "diff", 1),
      ("inspekt", "inspect", 1), ("diff", "import", 6),
    ])
  func wordsHaveADistance(_ first: String, _ second: String, _ distance: Int) {
    #expect(SimilarName.distance(first, second) == distance)
    #expect(SimilarName.distance(second, first) == distance)
  }

  @Test func statusesHaveTheNumbersThatScriptsRelyOn() {
    #expect(
      ExitStatus.allCases.map(\.rawValue) == [0, 1, 3, 4, 10, 11, 12, 13, 14, 15, 64, 130])
  }
}
