internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// What Core Data itself wrote has neither errors nor warnings, and only the notes that are known.
@Suite struct RealStoreVerificationTests {
  /// What looks like damage and is Core Data's own doing, so that `--fail-on warning` passes.
  private static let harmless: Set<FindingCode> = [
    .missingValueWithDefault, .inverseMissing, .renamedEntity, .danglingReflexivePair,
    .missingIndex, .missingSpatialTrigger,
  ]
  /// The findings by the end of the store's name; every other store has none.
  private static let known: [String: [String]] = [
    // Properties that an in-place migration added with a default and left empty.
    "13.0.1-Single-Photo.photoslibrary/database/Photos.sqlite": [
      "info missing-value-with-default videoKeyFrameTimeScale 1",
      "info missing-value-with-default videoKeyFrameValue 1",
    ],
    // Apple Notes sets one side of this one-to-one relationship only.
    "group.com.apple.notes/NoteStore.sqlite": ["info inverse-missing cloudState 28"],
    "NoteStore-macOS-12-Monterey.sqlite": ["info inverse-missing cloudState 16"],
    "NoteStore-macOS-14-Sonoma.sqlite": ["info inverse-missing cloudState 24"],
    // LuxuryCar still has the number of ExpensiveSportCar, its renaming identifier.
    "Fixtures/SampleModel_V2.sqlite": ["info renamed-entity - 1"],
  ]

  @Test(.timeLimit(.minutes(10)))
  func realStoresHaveOnlyTheKnownFindings() throws {
    var seen: Set<String> = []
    for store in RealStores.any {
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
    guard RealStores.isAvailable else { return }
    #expect(seen.count == Self.known.count)
    print("verified \(RealStores.all.count) of \(RealStores.expectedCount) real stores")
  }

  /// Of the smaller ones, as all of them are verified above.
  @Test(.timeLimit(.minutes(10)))
  func reportsDoNotDependOnTheNumberOfThreads() throws {
    for (number, store) in RealStores.any.enumerated() {
      let size = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int
      guard let size, size < 2 << 20 else { continue }
      let folder = try TemporaryDirectory()
      let copy = try RealStores.copy(store, to: folder)
      let alone = try VerificationOutcome(of: copy, threads: 0)
      #expect(try VerificationOutcome(of: copy, threads: 1) == alone, "\(store)")
      let archive = folder.file("Store.coffer.tar.gz")
      try StoreExporter().export(try PersistentStore(readingFrom: copy), to: archive)
      let archived = try VerificationOutcome(of: archive, threads: 0)
      let threads = [1, 2, 4][number % 3]
      #expect(
        try VerificationOutcome(of: archive, threads: threads) == archived,
        "archive of \(store), \(threads) threads")
    }
  }

  /// Errors, warnings and harmless peculiarities by severity, code and property, with their counts,
  /// without undecided parts of an inferred model.
  private static func texts(_ verification: Verification) -> [String] {
    var counts: [String: Int] = [:]
    for finding in verification.findings
    where
      (finding.severity > .info || Self.harmless.contains(finding.code))
      && finding.code != .checkNotRun
    {
      let text = [finding.severity.rawValue, finding.code.text, finding.propertyName?.text ?? "-"]
        .joined(separator: " ")
      counts[text, default: 0] += 1
    }
    return counts.map { "\($0.key) \($0.value)" }.sorted()
  }
}
