internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

/// What Core Data itself wrote has no errors, and only the warnings that are known.
///
/// None is in the stores at hand; the warnings are listed in docs/findings.md with their evidence.
@Suite struct RealStoreVerificationTests {
  /// The errors and warnings by the end of the store's name; every other store has none.
  private static let known: [String: [String]] = [
    // Properties that an in-place migration added with a default and left empty.
    "13.0.1-Single-Photo.photoslibrary/database/Photos.sqlite": [
      "warning missing-value-with-default videoKeyFrameTimeScale 1",
      "warning missing-value-with-default videoKeyFrameValue 1",
    ],
    // Apple Notes sets one side of this one-to-one relationship only.
    "group.com.apple.notes/NoteStore.sqlite": ["warning inverse-missing cloudState 28"],
    "NoteStore-macOS-12-Monterey.sqlite": ["warning inverse-missing cloudState 16"],
    "NoteStore-macOS-14-Sonoma.sqlite": ["warning inverse-missing cloudState 24"],
    // LuxuryCar still has the number of ExpensiveSportCar, its renaming identifier.
    "Fixtures/SampleModel_V2.sqlite": ["warning renamed-entity - 1"],
  ]

  @Test(
    .enabled(if: RealStores.isAvailable, "needs the real stores"), .timeLimit(.minutes(10)))
  func realStoresHaveOnlyTheKnownFindings() throws {
    var seen: Set<String> = []
    for store in RealStores.all {
      let name = Self.known.keys.first { store.name.hasSuffix($0) }
      if let name { seen.insert(name) }
      let expected = name.flatMap { Self.known[$0] } ?? []
      let folder = try TemporaryDirectory()
      let copy = try RealStores.copy(store, to: folder)
      let found = Self.texts(try Verification(of: copy))
      #expect(found == expected, "\(store)")
      let archived = Self.texts(try Verification.ofArchive(of: copy))
      #expect(archived == expected, "archive of \(store)")
    }
    #expect(seen.count == Self.known.count)
    print("verified \(RealStores.all.count) of \(RealStores.expectedCount) real stores")
  }

  /// The findings worth a look, by severity, code and property, with their counts: not the
  /// informational ones, nor what an inferred model leaves open.
  private static func texts(_ verification: Verification) -> [String] {
    var counts: [String: Int] = [:]
    for finding in verification.findings
    where finding.severity > .info && finding.code != .checkNotRun {
      let text = [finding.severity.rawValue, finding.code.text, finding.propertyName ?? "-"]
        .joined(separator: " ")
      counts[text, default: 0] += 1
    }
    return counts.map { "\($0.key) \($0.value)" }.sorted()
  }
}
