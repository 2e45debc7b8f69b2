internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Stores with defects are backed up like any other and restored unchanged; known defects are reported as
/// findings.
@Suite struct RoundTripDamageTests {
  /// Damage that prevents all reading, with the code of the error.
  static let unreadable = [
    "unknown-collation": "damaged-store",
    "missing-primary-key-table": "damaged-store",
    "missing-metadata": "damaged-store",
    "missing-metadata-table": "damaged-store",
    "broken-page": "damaged-store",
    "truncated-file": "damaged-store",
    "damaged-log": "damaged-store",
    "damaged-log-header": "damaged-store",
    "empty-file": "not-sqlite",
    "not-a-database": "not-sqlite",
  ]

  /// The findings of an import by the name of the damage: severities, codes and places.
  static let expected: [String: [String]] = [
    "dangling-to-one": ["error dangling-relationship NoteEntity/p6.author"],
    "zero-reference": ["error dangling-relationship NoteEntity/p6.author"],
    "invalid-reference": ["error invalid-reference NoteEntity/p6.author"],
    "entity-column-text": ["error wrong-destination-entity AttachmentEntity/p2.item"],
    "one-to-one-shared": [
      "info inverse-missing PersonEntity/p2.settings",
      "info inverse-missing PersonEntity/p3.settings",
      "error shared-destination SettingsEntity/p1.person",
    ],
    "pair-without-source": ["error dangling-pair TodoEntity/p0.tags"],
    "wrong-pair-destination": ["error wrong-destination NoteEntity/p7.backlinks"],
    "dangling-to-one-with-inverse": ["error dangling-relationship TodoEntity/p5.location"],
    "mandatory-to-one-dangling": ["error dangling-relationship SettingsEntity/p1.person"],
    "dangling-owner": ["error dangling-relationship VisitEntity/p4.LocationEntity.visits"],
    "wrong-destination-entity": ["error wrong-destination TodoEntity/p2.parent"],
    "entity-column-mismatch": ["error wrong-destination-entity AttachmentEntity/p2.item"],
    "entity-column-missing": ["error wrong-destination-entity AttachmentEntity/p2.item"],
    "entity-column-stray": ["error wrong-destination-entity TodoEntity/p1.parent"],
    "one-to-one-half-set": ["info inverse-missing SettingsEntity/p1.person"],
    "one-to-one-mismatch": [
      "error inverse-mismatch PersonEntity/p3.settings",
      "error shared-destination SettingsEntity/p1.person",
    ],
    "dangling-pair": ["error dangling-pair TodoEntity/p3.tags"],
    "dangling-reflexive-pair": ["info dangling-reflexive-pair PersonEntity/p6.friends"],
    "pair-without-destination": ["error dangling-pair TodoEntity/p3.tags"],
    "wrong-pair-entity": ["error wrong-destination TodoEntity/p9.tags"],
    "stale-maximum": ["info primary-key-counter-raised ItemEntity"],
    "missing-maximum": ["info primary-key-counter-raised ItemEntity"],
    "stale-history-maximum": ["info primary-key-counter-raised CHANGE"],
    "missing-external-file": ["error missing-external-data AttachmentEntity/p4.content"],
    "missing-external-folder": [
      "error missing-external-data AttachmentEntity/p4.content",
      "error missing-external-data AttachmentEntity/p5.content",
    ],
  ]

  /// Damages that an import puts right, with the name of the counter and the table that it counts.
  static let repaired = [
    "stale-maximum": ("ItemEntity", "ZITEMENTITY"),
    "missing-maximum": ("ItemEntity", "ZITEMENTITY"),
    "stale-history-maximum": ("CHANGE", "ACHANGE"),
  ]

  /// One is restored only by who trusts its schema: RoundTripSchemaTests.
  static let readable = Damage.all.filter {
    unreadable[$0.name] == nil && $0.name != Damage.unusualTrigger.name
  }

  @Test(arguments: Damage.all.filter { unreadable[$0.name] != nil })
  func whatCannotBeReadIsRefused(_ damage: Damage) throws {
    let sample = try SampleCopy()
    try damage.apply(to: sample.path)
    let before = try FolderState(of: sample.folder.path)
    let code = errorCode {
      let store = try PersistentStore(readingFrom: sample.path)
      try StoreExporter().export(store, to: sample.folder.file("Store.coffer.tar.gz"))
    }
    #expect(code == Self.unreadable[damage.name])
    #expect(try FolderState(of: sample.folder.path) == before)
  }

  @Test(arguments: readable) func aDamagedStoreComesBackAsItWasUnlessStrict(_ damage: Damage) throws
  {
    let sample = try SampleCopy()
    try damage.apply(to: sample.path)
    let trip = try RoundTrip(of: sample.path)
    var problems = try trip.problems()
    if let (entity, table) = Self.repaired[damage.name] {
      // The one thing that an import puts right, and says so.
      problems.removeAll { $0.hasPrefix("Z_PRIMARYKEY") || $0.contains("export of the copy") }
      let counter = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'"
      let highest = "SELECT max(Z_PK) FROM \(table)"
      #expect(
        try SampleCopy.rows(trip.copy, counter) == SampleCopy.rows(trip.copy, highest))
    }
    // What is no file is left out, and told.
    let isLink = damage.name == Damage.externalLink.name
    if isLink { problems.removeAll { $0 == "file _EXTERNAL_DATA/link: only in the first" } }
    #expect(problems == [])
    let findings = trip.imported.findings.map(Verification.text)
    #expect(findings == Self.expected[damage.name] ?? [], "\(damage.summary)")
    #expect(try trip.referenceFindings == trip.verifiedReferences())
    let missing = findings.filter { $0.hasPrefix("error missing-external-data") }
    let left =
      switch damage.name {
      case Damage.externalLink.name: ["warning irregular-external-data"]
      case Damage.strayCopy.name: ["info unknown-companion"]
      default: [String]()
      }
    #expect(trip.exported.findings.map(Verification.text) == left + missing)
    #expect(trip.exported.errorCount == missing.count)
    try checkStrict(trip)
  }

  /// Imports the archive once more: a strict import refuses errors and leaves nothing.
  private func checkStrict(_ trip: RoundTrip) throws {
    let folder = try TemporaryDirectory()
    let importer = StoreImporter(options: ImportOptions(isStrict: true))
    var errors = trip.imported.findings.filter { $0.severity == .error }
    if errors.isEmpty {
      errors = try Verification(of: trip.copy).findings.filter { $0.severity == .error }
    }
    do {
      let summary = try importer.import(trip.archive, to: folder.file("Copy.sqlite"))
      #expect(errors == [])
      #expect(summary.counts[.error] == 0)
    } catch let error as CofferError {
      #expect(!errors.isEmpty)
      #expect(error.code == .strictFindings)
      #expect(error.findings.filter { $0.severity == .error } == errors)
      #expect(try folder.contents() == [])
    }
  }
}
