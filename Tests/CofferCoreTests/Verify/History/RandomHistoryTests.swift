internal import CofferKit
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// The findings about counters, versions and history equal the findings of a plain search.
@Suite struct RandomHistoryTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func theFindingsAreThoseOfALookAtEverything(
    _ seed: UInt64
  ) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Random.sqlite")
    let history = RandomHistory(seed: seed)
    try history.write(to: path)
    var options = VerificationOptions()
    options.checks = [.counters, .versions, .history]
    let expected = history.expected
    #expect(expected.count > 20)
    #expect(try Self.texts(Verification(of: path, options: options)) == expected, "seed \(seed)")
    // So little memory that the records go to a file.
    options.memory = 4096
    let archive = try Verification.ofArchive(of: path, options: options)
    #expect(Self.texts(archive) == expected, "in an archive, seed \(seed)")
  }

  @Test func theDiceThrowEveryKindOfFinding() {
    let found = (1...20 as ClosedRange<UInt64>).flatMap { RandomHistory(seed: $0).expected }
    let codes = Set(found.map { $0.split(separator: " ")[1] })
    #expect(codes.count == 10)
  }

  /// The findings, each with the numbers of its detail, in the order of their texts.
  private static func texts(_ verification: Verification) -> [String] {
    verification.findings.map { finding in
      let numbers = finding.detail.split { !$0.isNumber }.compactMap { Int64($0) }
      return "\(Verification.text(finding)) \(numbers)"
    }.sorted()
  }
}
