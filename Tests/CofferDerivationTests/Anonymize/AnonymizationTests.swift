internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A share as a whole: sound, and with nothing of the values of its source.
@Suite struct AnonymizationTests {
  /// Every real store: all findings of `verify` are in the source too, and no original value is in the bytes.
  @Test(arguments: RealStores.any)
  func aShareOfARealStoreIsSoundAndHasNoOriginalValue(_ store: RealStore) throws {
    let trial = try AnonymizationTrial(store)
    try expectSound(try trial.share(), of: trial)
  }

  /// Samples of real stores: one of each, or three in a long run.
  @Test(arguments: RealStores.any)
  func aSampleOfARealStoreIsSoundAndHasNoOriginalValue(_ store: RealStore) throws {
    let trial = try AnonymizationTrial(store)
    for (seed, closure) in AnonymizationOptions.Closure.allCases.enumerated().prefix(
      Effort.isLong ? 3 : 1)
    {
      do {
        let share = try trial.share("\(seed).sqlite") {
          $0.sampleCount = 3
          $0.seed = UInt64(seed)
          $0.closure = closure
        }
        try expectSound(share, of: trial)
      } catch let error as CofferError where error.code == .unknownStoreModel {
        // The needs of its objects are unknown.
        #expect(try StoreInspector().inspect(trial.source).model.source == .inferred)
      }
    }
  }

  private func expectSound(
    _ share: (path: String, summary: AnonymizationSummary), of trial: AnonymizationTrial
  ) throws {
    let known = try AnonymizationTrial.findings(trial.source)
    for (code, count) in try AnonymizationTrial.findings(share.path) {
      #expect(count <= known[code] ?? 0, "\(code.text)")
      #expect(share.summary.findings[code] == count)
    }
    #expect(try trial.originals(in: share.path) == [])
  }

  @Test func everyFormHasNoOriginalValue() throws {
    let trial = try AnonymizationTrial()
    for (name, form) in [
      ("Share.sqlite", .store), ("Share.tar.gz", .archive), ("Tables", .tables(.ndjson)),
    ] as [(String, AnonymizationTarget)] {
      let (path, summary) = try trial.share(name, as: form)
      #expect(summary.selection.omittedCount == 0)
      #expect(try trial.originals(in: path) == [], "\(name)")
    }
  }

  /// The judge can see: with the original values it finds them.
  @Test func theJudgeFindsOriginalValues() throws {
    let trial = try AnonymizationTrial()
    let (path, summary) = try trial.share { $0.isAnonymous = false }
    #expect(!summary.isAnonymous)
    #expect(try !trial.originals(in: path).isEmpty)
    let (kept, _) = try trial.share("Kept.sqlite") { $0.kept = ["TagEntity.name"] }
    #expect(try !trial.originals(in: kept).isEmpty)
  }

  @Test func aShareOfAnArchiveIsThatOfItsStore() throws {
    let trial = try AnonymizationTrial()
    let archive = trial.folder.file("Source.coffer.tar.gz")
    try StoreExporter().export(storeAt: trial.source, to: archive)
    let path = trial.folder.file("Share.sqlite")
    let summary = try StoreAnonymizer().anonymize(archive, to: path)
    #expect(summary.content.objectCount == 300)
    #expect(try AnonymizationTrial.findings(path) == [:])
    #expect(try trial.originals(in: path) == [])
  }

  /// Equal values stay equal, and different ones different, so duplicates and joins survive.
  @Test func equalValuesStayEqualAndDifferentOnesDifferent() throws {
    let trial = try AnonymizationTrial()
    let (path, _) = try trial.share()
    for column in ["ZTAGENTITY.ZNAME", "ZPERSONENTITY.ZNAME", "ZSETTINGSENTITY.ZLOCALE"] {
      let parts = column.split(separator: ".")
      let groups =
        "SELECT count(*) FROM \(parts[0]) WHERE \(parts[1]) IS NOT NULL GROUP BY \(parts[1])"
      let sorted = "SELECT * FROM (\(groups)) ORDER BY 1"
      #expect(
        try AnonymizationTrial.integers(path, sorted)
          == AnonymizationTrial.integers(trial.source, sorted),
        "\(column)")
      let lengths = "SELECT length(\(parts[1])) FROM \(parts[0]) ORDER BY Z_PK"
      let (before, after) = (
        try AnonymizationTrial.integers(trial.source, lengths),
        try AnonymizationTrial.integers(path, lengths)
      )
      #expect(before.count == after.count)
      #expect(zip(before, after).allSatisfy { $0 <= $1 && $1 <= $0 + 4 })
    }
  }

  @Test func allDatesAreShiftedByOneConstant() throws {
    let trial = try AnonymizationTrial()
    let (path, _) = try trial.share()
    // All of them are positive then, and fractions are cut off alike.
    let seconds = "CAST(ZBIRTHDAY + 100000000000 AS INTEGER)"
    let days = "SELECT \(seconds) FROM ZPERSONENTITY WHERE ZBIRTHDAY NOT NULL ORDER BY Z_PK"
    let (before, after) = (
      try AnonymizationTrial.integers(trial.source, days),
      try AnonymizationTrial.integers(path, days)
    )
    let shifts = Set(zip(before, after).map { $0 - $1 })
    #expect(shifts.count == 1)
    #expect(shifts.allSatisfy { $0 >= 53 * 604_800 && $0 % 604_800 == 0 })
  }

  @Test func theResultSaysWhatItIs() throws {
    let trial = try AnonymizationTrial()
    let (path, summary) = try trial.share()
    let database = try GeneratorDatabase(path: path)
    #expect(
      try AnonymizationTrial.texts(path, "SELECT Z_UUID FROM Z_METADATA") == [summary.storeUUID])
    let original = try AnonymizationTrial.texts(trial.source, "SELECT Z_UUID FROM Z_METADATA")
    #expect(original != [summary.storeUUID])
    guard case .blob(let bytes)? = try database.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first
    else { throw GeneratorError("no metadata") }
    let list = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    let notice = (list as? [String: Any])?["CofferShare"] as? [String: Any]
    // Its priorities and flags stay.
    #expect(notice?["anonymous"] as? Bool == false && !summary.staying.isEmpty)
    #expect(try database.integer("PRAGMA freelist_count") == 0)
    for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
      let count = try? database.integer("SELECT count(*) FROM \(table)")
      #expect(count ?? 0 == 0)
    }
  }

  @Test func nothingRemainsOfARefusedShare() throws {
    let trial = try AnonymizationTrial()
    for (change, code) in [
      ({ $0.selection = ObjectSelection(entityNames: ["Nobody"]) }, CofferError.Code.noSuchEntity),
      (
        { $0.objects = [ManagedObjectID(entityName: "TagEntity", primaryKey: 99_999)] },
        .noSuchObject
      ),
      ({ $0.kept = ["TagEntity.nothing"] }, .noSuchProperty),
      ({ $0.kept = ["RecurringTodoEntity.title"] }, .noSuchProperty),
      ({ $0.followed = ["TagEntity.nothing"] }, .noSuchProperty),
      ({ $0.rules = [("TagEntity.name", .shift(1))] }, .incompatibleChoices),
      ({ $0.findings = [.danglingRelationship] }, .nothingChosen),
    ] as [((inout AnonymizationOptions) -> Void, CofferError.Code)] {
      let error = #expect(throws: CofferError.self) { try trial.share("None.sqlite", change) }
      #expect(error?.code == code)
      #expect(!FileManager.default.fileExists(atPath: trial.folder.file("None.sqlite")))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: trial.folder.file(""))
    #expect(!names.contains { $0.contains("None") })
  }
}
