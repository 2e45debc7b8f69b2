internal import CofferKit
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Every code has a damage that causes it, and every damage has expected findings.
@Suite struct DamageCoverageTests {
  /// The codes that need more than a damaged store: an older state, a given model, an import, a
  /// salvage.
  private static let foundOtherwise: Set<FindingCode> = [
    .modelMismatch, .primaryKeyCounterRaised, .storeUUIDChanged, .versionWentBackwards,
    .changedWithoutVersion, .counterWentBackwards, .silentWipe,
    // Those of an export with damage tolerated: SalvageExportTests.
    .lostRows, .misplacedRows, .lostValue, .lostTable, .lostSchema, .lostExternalData,
    .lostTransactions,
    .salvagedArchive,
    // Those of an import with damage tolerated: SalvageDamageTests.
    .lostEntry, .lostIndex, .lostLine, .lostEntryValue, .lostDocument, .rebuiltTable,
    .damageWithoutLoss,
    // Those of columns that convert values, and of another user: ConvertedValueTests, MachineLimitTests.
    .convertedValue, .unreadableExternalData,
  ]

  /// The codes that no archive can have: it has no pages and no log, its tables could be read, and
  /// only files are in it.
  private static let onlyInStores: Set<FindingCode> = [
    .sqliteDamage, .unreadableTable, .followsFromDamage, .damagedLog, .missingMetadata,
    .missingNumbering,
    .irregularExternalData, .unknownCompanion, .unrestorableSchema,
  ]

  @Test(arguments: FindingCode.allCases) func everyCodeHasADamage(_ code: FindingCode) {
    guard !Self.foundOtherwise.contains(code) else { return }
    let inStores = ExpectedFindings.all.contains { Self.names(code, $0.store) }
    let inArchives =
      ExpectedFindings.all.contains { Self.names(code, $0.archive ?? []) }
      || ArchiveDamage.all.contains { Self.names(code, $0.findings) }
    if code.check == .archive {
      #expect(inArchives, "no damage of an archive leads to \(code.text)")
    } else {
      #expect(inStores, "no damage of a store leads to \(code.text)")
      #expect(
        inArchives != Self.onlyInStores.contains(code),
        "\(code.text) in an archive: \(inArchives)")
    }
  }

  @Test func everyDamageIsExpected() {
    let expected = Set(ExpectedFindings.all.map(\.damage))
    #expect(expected.count == ExpectedFindings.all.count, "a damage is expected twice")
    let unreadable: Set = ["truncated-file", "empty-file", "not-a-database"]
    let others = Set(Damage.all.map(\.name)).subtracting(expected).subtracting(unreadable)
    #expect(others == [], "nothing is expected of these damages")
    #expect(expected.subtracting(Damage.all.map(\.name)) == [], "there are no such damages")
  }

  @Test func aDamageLeadsToOneCodeAndItsConsequences() {
    let lists =
      ExpectedFindings.all.flatMap { [($0.damage, $0.store), ($0.damage, $0.archive ?? [])] }
      + ArchiveDamage.all.map { ($0.description, $0.findings) }
    for (damage, findings) in lists {
      let codes = Set(
        findings.compactMap { $0.split(separator: " ").dropFirst().first }.map(String.init))
      let isExplained =
        codes.count < 2
        || codes.contains { text in
          let consequences = FindingCode(text: text)?.consequences ?? []
          return codes.subtracting([text]).isSubset(of: consequences)
        }
      #expect(isExplained, "\(damage): none of \(codes.sorted()) says that it leads to the others")
    }
  }

  @Test func everyConsequenceIsACode() {
    for code in FindingCode.allCases {
      for text in code.consequences { #expect(FindingCode(text: text) != nil, "\(text)") }
    }
  }

  private static func names(_ code: FindingCode, _ findings: [String]) -> Bool {
    findings.contains { finding in
      finding.split(separator: " ").dropFirst().first.map(String.init) == code.text
    }
  }
}
