internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Merges of a store with everything that a store can hold.
@Suite struct MergeSampleTests {
  private static let changes = [
    "UPDATE ZTAGENTITY SET ZNAME = 'other' WHERE Z_PK = 1",
    "DELETE FROM ZVISITENTITY WHERE Z_PK = 4",
    "INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOLOR) VALUES (90, 9, 1, 'new', 1)",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 90 WHERE Z_NAME = 'TagEntity'",
    "INSERT INTO Z_4TAGS SELECT Z_PK, 90 FROM ZITEMENTITY WHERE Z_ENT = 4 LIMIT 1",
  ]

  private func merge(
    _ samples: SampleSources, _ other: String, base: String?, _ options: MergeOptions = .init()
  ) throws -> (path: String, summary: MergeSummary) {
    let path = samples.directory.file("Merged.sqlite")
    let summary = try StoreMerger(options: options).merge(
      other, into: samples.sample, base: base, at: path)
    return (path, summary)
  }

  /// Removes a file when the merge has listed the files of the store, as a compaction or the app may.
  private struct Intruder: ProgressReporter {
    let file: String

    func report(_ progress: WorkProgress) {
      if progress.phase != .opening { try? FileManager.default.removeItem(atPath: file) }
    }
  }

  @Test func aFileThatVanishesMeansThatTheStoreIsInUse() throws {
    let samples = try SampleSources()
    let (base, other) = (
      try samples.copy(named: "Base"), try samples.copy(changing: Self.changes)
    )
    let store = StorePaths(store: samples.sample)
    let file = "\(store.externalDataFolder)/3E1A9C50-0000-4000-8000-000000000001"
    try FileManager.default.createDirectory(
      atPath: store.externalDataFolder, withIntermediateDirectories: true)
    try Data("nobody's".utf8).write(to: URL(fileURLWithPath: file))
    let error = #expect(throws: CofferError.self) {
      try StoreMerger(progress: Intruder(file: file)).merge(other, into: samples.sample, base: base)
    }
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(error?.code == .storeBusy)
    #expect(error?.place.path == samples.sample)
    try StoreMerger().merge(other, into: samples.sample, base: base)
  }

  @Test func changedTablesOfTheAppAreNotMergedAndNamed() throws {
    let samples = try SampleSources()
    let table = [
      "CREATE TABLE app (k INTEGER PRIMARY KEY, v)", "INSERT INTO app VALUES (1, 'old')",
    ]
    let base = try samples.copy(named: "Base", changing: table)
    let other = try samples.copy(
      named: "Other", changing: table + ["UPDATE app SET v = 'new'"])
    let changes = samples.directory.file("Changes.tar.gz")
    try StoreComparison().writeChanges(from: base, to: other, at: .file(changes))
    let merger = StoreMerger()
    #expect(try merger.preview(other, into: base, base: base).tablesLeftOut == ["app"])
    #expect(try merger.preview(changes, into: base).tablesLeftOut == ["app"])
    #expect(try merger.preview(base, into: other, base: base).tablesLeftOut == [])
    var options = MergeOptions()
    options.matchesByObjectID = true
    let adding = StoreMerger(options: options)
    #expect(try adding.preview(other, into: base).tablesLeftOut == ["app"])
    #expect(try adding.preview(base, into: base).tablesLeftOut == [])
  }

  /// A relationship that is its own inverse is stored in one direction or in both; objects are no longer related
  /// once the other store has neither.
  @Test(
    arguments: [
      ("(1, 2)", "(1, 2)", "(1, 2), (2, 1)", [[1, 2], [2, 1]]),
      ("(1, 2), (2, 1)", "(1, 2), (2, 1)", "(1, 2)", [[1, 2]]),
      ("(1, 2)", "(1, 2)", "(2, 1)", [[2, 1]]),
      ("(1, 2)", "(2, 1)", "(1, 3)", [[1, 3]]),
      ("(1, 3)", "(1, 3), (2, 1)", "(1, 3), (1, 2)", [[1, 2], [1, 3], [2, 1]]),
    ] as [(String, String, String, [[StoreValue]])])
  func theDirectionsOfAPairAreKept(
    _ base: String, _ own: String, _ other: String, _ merged: [[StoreValue]]
  ) throws {
    let samples = try SampleSources()
    let paths = try [base, own, other].enumerated().map { number, pairs in
      let path = try StoreFiles(samples.sample).copy(to: samples.directory.file("\(number).sqlite"))
      try GeneratorDatabase(path: path).run(
        "DELETE FROM Z_7FRIENDS; INSERT INTO Z_7FRIENDS (Z_7FRIENDS, REFLEXIVE) VALUES \(pairs)")
      return path
    }
    try StoreMerger().merge(paths[2], into: paths[1], base: paths[0])
    let rows = try GeneratorDatabase(path: paths[1]).rows(
      "SELECT Z_7FRIENDS, REFLEXIVE FROM Z_7FRIENDS ORDER BY 1, 2")
    #expect(rows == merged)
  }

  @Test func theHistoryRecordsAMergeAndUndoTakesItBack() throws {
    var samples = try SampleSources()
    let other = try samples.copy(changing: Self.changes)
    samples.archives[samples.sample] = try samples.archive(of: samples.sample)
    var options = MergeOptions()
    let undo = samples.directory.file("Undo.coffer-changes.tar.gz")
    options.editing.undo = .file(undo)
    // Both as archives.
    let (path, summary) = try merge(
      samples, try samples.archive(of: other), base: try samples.archive(of: samples.sample),
      options)
    #expect(summary.conflicts.count == 0)
    #expect(summary.findings == [])
    let database = try GeneratorDatabase(path: path)
    let kinds = try database.rows(
      "SELECT c.ZCHANGETYPE, c.ZENTITY, c.ZENTITYPK FROM ACHANGE AS c "
        + "JOIN ATRANSACTION AS t ON t.Z_PK = c.ZTRANSACTIONID "
        + "JOIN ATRANSACTIONSTRING AS s ON s.Z_PK = t.ZAUTHORTS WHERE s.ZNAME = 'coffer' "
        + "AND c.ZENTITY IN (9, 10) ORDER BY c.ZENTITYPK, c.ZENTITY")
    #expect(
      kinds == [
        [.integer(1), .integer(9), .integer(1)], [.integer(2), .integer(10), .integer(4)],
        [
          .integer(0), .integer(9),
          .integer(
            try database.integer(
              "SELECT Z_PK FROM ZTAGENTITY WHERE ZNAME = 'new'") ?? 0),
        ],
      ])
    #expect(try database.integer("SELECT Z_OPT FROM ZTAGENTITY WHERE ZNAME = 'other'") == 2)
    // Back again, to the last row.
    let back = samples.directory.file("Back.sqlite")
    try ChangesApplier().apply(undo, to: path, at: back)
    #expect(try StoreComparer.differences(back, samples.sample) == [])
  }

  /// Another device's clock was ahead when it saved last.
  @Test func theHistoryStaysInOrder() throws {
    let samples = try SampleSources()
    try GeneratorDatabase(path: samples.sample).run(
      "UPDATE ATRANSACTION SET ZTIMESTAMP = 4e9 WHERE Z_PK = (SELECT max(Z_PK) FROM ATRANSACTION)")
    let other = try samples.copy(changing: Self.changes)
    let (path, summary) = try merge(samples, other, base: samples.copy(named: "Base"))
    #expect(!summary.differences.isEqual)
    #expect(summary.findings == [])
    #expect(try Verification(of: path).findings.filter { $0.code.check == .history } == [])
  }

  @Test func aStoreThatStaysAsItIsKeepsItsFile() throws {
    let samples = try SampleSources()
    let base = try samples.copy(named: "Base")
    let other = try samples.copy(changing: Self.changes)
    let merger = StoreMerger()
    #expect(try !merger.merge(other, into: samples.sample, base: base).differences.isEqual)
    let merged = try FolderState(of: samples.directory.path)
    #expect(try merger.merge(other, into: samples.sample, base: base).differences.isEqual)
    #expect(try FolderState(of: samples.directory.path) == merged)
  }

  @Test func aPreviewIsTheComparisonOfBeforeAndAfter() throws {
    let samples = try SampleSources()
    let other = try samples.copy(changing: Self.changes)
    let base = try samples.copy(named: "Base")
    var said: [String] = []
    try StoreMerger().preview(other, into: samples.sample, base: base) {
      said.append($0.text)
    }
    let (path, _) = try merge(samples, other, base: base)
    #expect(try said == differences(samples.sample, path).texts)
    #expect(!said.isEmpty)
  }

  @Test func aStoreMergedWithItselfStaysTheSame() throws {
    let samples = try SampleSources()
    let (path, summary) = try merge(samples, samples.sample, base: samples.sample)
    #expect(summary.differences.isEqual)
    #expect(try StoreComparer.differences(path, samples.sample) == [])
  }

  @Test func derivedValuesFollow() throws {
    let samples = try SampleSources()
    let other = try samples.copy(changing: [
      "UPDATE ZLOCATIONENTITY SET ZNAME = 'elsewhere' WHERE Z_PK = 1"
    ])
    let (path, _) = try merge(samples, other, base: samples.sample)
    let database = try GeneratorDatabase(path: path)
    let wrong = try database.integer(
      "SELECT count(*) FROM ZITEMENTITY AS i JOIN ZLOCATIONENTITY AS l ON l.Z_PK = i.ZLOCATION "
        + "WHERE l.Z_PK = 1 AND i.ZLOCATIONNAME IS NOT 'elsewhere'")
    #expect(wrong == 0)
  }

  @Test func objectsThatNothingIdentifiesAreRefused() throws {
    let samples = try SampleSources()
    let error = #expect(throws: CofferError.self) {
      try merge(samples, samples.sample, base: nil)
    }
    #expect(error?.code == .refused)
    #expect(error?.detail.contains("LocationEntity") == true)
  }

  @Test func aBaseOfAnotherStoreIsRefused() throws {
    let samples = try SampleSources()
    let base = try samples.copy(
      named: "Base", changing: ["UPDATE Z_METADATA SET Z_UUID = 'OTHER'"])
    let later = try samples.copy(
      named: "Later", changing: ["UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 9"])
    for path in [base, later] {
      let error = #expect(throws: CofferError.self) {
        try merge(samples, samples.sample, base: path)
      }
      #expect(error?.code == .wrongState)
    }
    #expect(!FileManager.default.fileExists(atPath: samples.directory.file("Merged.sqlite")))
  }

  @Test func anObjectWithATriggerOfTheAppIsRefused() throws {
    let samples = try SampleSources()
    let visits = try samples.copy(changing: ["DELETE FROM ZVISITENTITY WHERE Z_PK = 4"])
    let tags = try samples.copy(named: "Tags", changing: Self.changes)
    let base = try samples.copy(named: "Base")
    try GeneratorDatabase(path: samples.sample).run(
      "CREATE TRIGGER Own AFTER UPDATE ON ZTAGENTITY BEGIN SELECT appFunction(); END")
    let error = #expect(throws: CofferError.self) { try merge(samples, tags, base: base) }
    #expect(error?.code == .refused)
    #expect(error?.detail.contains("Own") == true)
    let (_, summary) = try merge(samples, visits, base: base)
    #expect(summary.differences.objects.removed == 1)
  }

  /// A store without a copy of its model is not one with another model, and gets a copy from the other store.
  @Test func aStoreWithoutAModelIsNamed() throws {
    let samples = try SampleSources()
    let bare = try samples.copy(named: "Bare", changing: ["DROP TABLE Z_MODELCACHE"])
    for isOther in [true, false] {
      let error = #expect(throws: CofferError.self) {
        _ = try StoreMerger().preview(
          isOther ? bare : samples.sample, into: isOther ? samples.sample : bare, base: nil)
      }
      #expect(error?.code == .unknownStoreModel)
      #expect(error?.place.path == bare)
      #expect(error?.advice.contains(.takeModel) == true)
    }
  }

  @Test func anotherModelIsRefused() throws {
    let samples = try SampleSources()
    let other = try MergeState.createEmptyStore(in: samples.directory)
    let error = #expect(throws: CofferError.self) { try merge(samples, other, base: nil) }
    #expect(error?.code == .modelMismatch)
  }
}
