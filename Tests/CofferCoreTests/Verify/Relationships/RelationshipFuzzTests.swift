internal import CofferKit
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The checks of relationships find exactly the results of a slow and simple search.
@Suite struct RelationshipFuzzTests {
  private static let checks: Set<CheckName> = [
    .references, .pairs, .inverses, .order, .cardinality,
  ]
  /// The codes of these checks.
  private static let codes = Set(
    FindingCode.allCases.filter { checks.contains($0.check) }.map(\.text))

  @Test func theSlowSearchFindsTheSame() throws {
    let folder = try TemporaryDirectory()
    var seen: Set<String> = []
    for seed in 0..<UInt64(100) {
      let path = folder.file("Store\(seed).sqlite")
      try RelationshipChaos.write(to: path, seed: seed)
      let expected = try RelationshipOracle(path).findings.sorted()
      var options = VerificationOptions()
      options.checks = Self.checks
      // Of every second store, keys and records do not fit into memory.
      if seed % 2 == 1 { options.memory = 1 << 10 }
      let found = try Verification(of: path, options: options).texts.sorted()
      #expect(found == expected, "seed \(seed)")
      seen.formUnion(expected.map { String($0.split(separator: " ")[1]) })
      guard seed % 5 == 0 else { continue }
      let archive = try Verification.ofArchive(of: path, options: options).texts.sorted()
      #expect(archive == expected, "the archive, seed \(seed)")
    }
    #expect(seen == Self.codes, "every code was met")
  }
}
