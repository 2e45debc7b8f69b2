internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// What applying changes refuses, replaces and leaves behind.
@Suite struct ApplyTests {
  /// Two states of the sample store, and the changes between them.
  private struct Pair {
    let trial: ChangesTrial
    let first: String
    let second: String
    let changes: String

    init(_ statement: String) throws {
      trial = try ChangesTrial()
      first = trial.directory.file("First-\(UUID().uuidString).sqlite")
      try SampleStore.write(to: first)
      second = try StoreFiles(first).copy(
        to: trial.directory.file("Second-\(UUID().uuidString).sqlite"))
      let database = try GeneratorDatabase(path: second)
      try database.registerCoreDataFunctions()
      try database.run(statement)
      changes = trial.file(UUID().uuidString)
      try StoreComparison().writeChanges(from: first, to: second, at: .file(changes))
    }
  }

  /// Changes a store when its new content is complete and about to take its place.
  private struct Intruder: ProgressReporter {
    let store: String

    func report(_ progress: WorkProgress) {
      guard progress.phase == .writing, let database = try? GeneratorDatabase(path: store) else {
        return
      }
      try? database.registerCoreDataFunctions()
      try? database.run("UPDATE ZTAGENTITY SET ZNAME = 'theirs' WHERE Z_PK = 2")
    }
  }

  private static let change = "UPDATE ZTAGENTITY SET ZNAME = 'changed' WHERE Z_PK = 1"

  private func edit(_ store: String, _ statement: String) throws {
    let database = try GeneratorDatabase(path: store)
    try database.registerCoreDataFunctions()
    try database.run(statement)
  }

  @Test func anotherValueIsRefusedAndNothingIsWritten() throws {
    let pair = try Pair(Self.change)
    try edit(pair.first, "UPDATE ZTAGENTITY SET ZNAME = 'other' WHERE Z_PK = 1")
    let before = try Data(contentsOf: URL(fileURLWithPath: pair.first))
    let error = #expect(throws: CofferError.self) {
      try ChangesApplier().apply(pair.changes, to: pair.first)
    }
    #expect(error?.code == .wrongState)
    #expect(error?.place.item == "TagEntity/p1, name")
    #expect(try Data(contentsOf: URL(fileURLWithPath: pair.first)) == before)
    #expect(try leftovers(beside: pair.first) == [])
  }

  @Test func aMissingObjectIsRefused() throws {
    let pair = try Pair(Self.change)
    try edit(pair.first, "DELETE FROM ZTAGENTITY WHERE Z_PK = 1")
    let error = #expect(throws: CofferError.self) {
      try ChangesApplier().apply(pair.changes, to: pair.first)
    }
    #expect(error?.code == .wrongState)
    #expect(error?.place.item == "TagEntity/p1")
  }

  @Test func anObjectThatIsThereAlreadyIsRefused() throws {
    let insertion = "INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT) VALUES (999, 9, 1)"
    let pair = try Pair(insertion)
    try edit(pair.first, insertion)
    let error = #expect(throws: CofferError.self) {
      try ChangesApplier().apply(pair.changes, to: pair.first)
    }
    #expect(error?.code == .wrongState)
  }

  @Test func anotherModelIsRefusedWithTheWay() throws {
    let pair = try Pair(Self.change)
    let trial = try ChangesTrial()
    let other = trial.directory.file("Other.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 20
    try StoreMaker.write(to: other, options)
    try edit(other, "CREATE INDEX Other ON ZTAGENTITY (ZCOLOR)")
    let error = #expect(throws: CofferError.self) {
      try ChangesApplier().apply(pair.changes, to: other)
    }
    #expect(error?.code == .modelMismatch)
    #expect(error?.advice.contains(.migrateFirst) == true)
  }

  @Test func aStoreIsReplacedAndUndone() throws {
    let pair = try Pair("DELETE FROM ZTAGENTITY WHERE Z_PK = 2")
    let undo = pair.changes + ".undo"
    let original = try StoreFiles(pair.first).copy(to: pair.first + "-original.sqlite")
    var options = ApplyOptions()
    options.editing.undo = .file(undo)
    let summary = try ChangesApplier(options: options).apply(pair.changes, to: pair.first)
    #expect(summary.changes.differences.objects.removed == 1)
    #expect(try StoreComparer.differences(pair.first, pair.second) == [])
    try ChangesApplier().apply(undo, to: pair.first)
    #expect(try StoreComparer.differences(pair.first, original) == [])
    #expect(try leftovers(beside: pair.first) == [])
  }

  @Test func aPreviewEqualsAComparison() throws {
    let pair = try Pair(
      "UPDATE ZTAGENTITY SET ZNAME = 'changed ' || Z_PK, Z_OPT = Z_OPT + 1 WHERE Z_PK < 3")
    let before = try Data(contentsOf: URL(fileURLWithPath: pair.first))
    let comparison = ComparisonOptions(includesValues: true)
    var previewed: [Difference] = []
    let preview = try ChangesApplier().preview(
      pair.changes, to: pair.first, comparison: comparison
    ) { previewed.append($0) }
    var compared: [Difference] = []
    let summary = try StoreComparison(options: comparison).compare(pair.first, pair.second) {
      compared.append($0)
    }
    #expect(previewed == compared)
    #expect(!compared.isEmpty)
    #expect(preview == summary)
    #expect(try Data(contentsOf: URL(fileURLWithPath: pair.first)) == before)
    #expect(try leftovers(beside: pair.first) == [])
  }

  @Test func anInspectionSaysWhatAComparisonSaysOfObjects() throws {
    let pair = try Pair("UPDATE ZTAGENTITY SET ZNAME = 'changed ' || Z_PK WHERE Z_PK < 3")
    var inspected: [Difference] = []
    try StoreChanges(pair.changes).inspect(includesValues: true) { inspected.append($0) }
    var compared: [Difference] = []
    try StoreComparison(options: ComparisonOptions(includesValues: true))
      .compare(pair.first, pair.second) { compared.append($0) }
    #expect(inspected == compared)
    #expect(!compared.isEmpty)
  }

  @Test func aFileNamesTheContentOfBothStates() throws {
    let pair = try Pair(Self.change)
    let exporter = StoreExporter()
    let states = try [pair.first, pair.second].map { store in
      let archive = store + ".coffer.tar.gz"
      return try exporter.export(storeAt: store, to: archive).contentDigest
    }
    let changes = StoreChanges(pair.changes)
    let summary = try changes.inspect()
    #expect([summary.contentDigestBefore, summary.contentDigestAfter] == states)
    #expect(states[0] != states[1])
    // The same from archives, which state their digests, and in reverse.
    let others = pair.trial.file("Others-\(UUID().uuidString)")
    let ofArchives = try StoreComparison().writeChanges(
      from: pair.first + ".coffer.tar.gz", to: pair.second, at: .file(others))
    #expect(ofArchives.digest == summary.digest)
    let back = try changes.reverse(to: .file(others + "-back"))
    #expect([back.contentDigestAfter, back.contentDigestBefore] == states)
  }

  @Test func theUndoOfAnotherStoreClaimsNoState() throws {
    let pair = try Pair(Self.change)
    try edit(pair.first, "UPDATE ZTAGENTITY SET ZNAME = 'unrelated' WHERE Z_PK = 2")
    var options = ApplyOptions()
    options.editing.undo = .file(pair.changes + ".undo")
    try ChangesApplier(options: options).apply(pair.changes, to: pair.first)
    let undo = try StoreChanges(pair.changes + ".undo").inspect()
    #expect(undo.contentDigestBefore == nil)
    #expect(undo.contentDigestAfter == nil)
  }

  @Test func changesOfAnEntityAreShown() throws {
    let pair = try Pair(
      "UPDATE ZTAGENTITY SET ZNAME = 'changed ' || Z_PK WHERE Z_PK < 4; DELETE FROM ZVISITENTITY WHERE Z_PK = 1"
    )
    let changes = StoreChanges(pair.changes)
    var shown: [ObjectDifference] = []
    try changes.show("TagEntity") { shown.append($0) }
    #expect(shown.map(\.objectID.primaryKey) == [1, 2, 3])
    shown = []
    try changes.show("TagEntity", primaryKey: 2) { shown.append($0) }
    #expect(shown.map { $0.properties.first?.newValue } == ["\"changed 2\""])
    let error = #expect(throws: CofferError.self) { try changes.show("Nothing") { _ in } }
    #expect(error?.code == .noSuchEntity)
  }

  @Test func aFileOfChangesIsVerified() throws {
    let pair = try Pair(Self.change)
    let summary = try StoreChanges(pair.changes).verify()
    #expect(summary.kind == .changes)
    #expect(summary.objectCount == 1)
    let error = #expect(throws: CofferError.self) { try Verifier().verify(pair.changes) { _ in } }
    #expect(error?.isAboutChanges == true)
  }

  @Test func newDefectsAreReportedOrRefused() throws {
    // A reference to a missing object is reported, and refused where that is wanted.
    let pair = try Pair("INSERT INTO Z_4TAGS VALUES (98765, 1)")
    var options = ApplyOptions()
    options.isStrict = true
    let error = #expect(throws: CofferError.self) {
      try ChangesApplier(options: options).apply(pair.changes, to: pair.first)
    }
    #expect(error?.code == .newFindings)
    let summary = try ChangesApplier().apply(pair.changes, to: pair.first)
    #expect(summary.errorCount > 0)
  }

  /// What the result is verified for: the error that the changes bring.
  @Test(arguments: [
    ("UPDATE ZTAGENTITY SET ZNAME = NULL WHERE Z_PK = 1", "missing-value"),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = -1 WHERE Z_NAME = 'TagEntity'", "primary-key-counter-behind"),
    (
      "UPDATE Z_METADATA SET Z_UUID = 'no UUID'; PRAGMA wal_checkpoint(TRUNCATE)",
      "invalid-store-uuid"
    ),
    ("UPDATE ZTAGENTITY SET ZCOLOR = 'red' WHERE Z_PK = 1", "wrong-storage-class"),
  ])
  func errorsOfTheResultAreFound(_ statement: String, _ code: String) throws {
    let pair = try Pair(statement)
    let before = try Data(contentsOf: URL(fileURLWithPath: pair.first))
    var options = ApplyOptions()
    options.isStrict = true
    let error = #expect(throws: CofferError.self) {
      try ChangesApplier(options: options).apply(pair.changes, to: pair.first)
    }
    #expect(error?.code == .newFindings)
    #expect(error?.findings.map(\.code.text).contains(code) == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: pair.first)) == before)
    #expect(try ChangesApplier().apply(pair.changes, to: pair.first).errorCount > 0)
  }

  @Test func aFileThatObjectsNeedIsNotRemovedSilently() throws {
    let pair = try Pair(Self.change)
    let files = StoreFiles(pair.second)
    let name = try #require(files.externalFileNames.first)
    try FileManager.default.removeItem(atPath: "\(files.externalDataFolder)/\(name)")
    let changes = pair.trial.file("Without")
    try StoreComparison().writeChanges(from: pair.first, to: pair.second, at: .file(changes))
    var options = ApplyOptions()
    options.isStrict = true
    let error = #expect(throws: CofferError.self) {
      try ChangesApplier(options: options).apply(changes, to: pair.first)
    }
    #expect(error?.code == .newFindings)
    #expect(StoreFiles(pair.first).externalFileNames.contains(name))
    #expect(try ChangesApplier().apply(changes, to: pair.first).errorCount == 1)
  }

  @Test func filesOfAnotherKindAreRefused() throws {
    let pair = try Pair(Self.change)
    let archive = pair.first + ".coffer.tar.gz"
    try StoreExporter().export(storeAt: pair.first, to: archive)
    let first = #expect(throws: CofferError.self) {
      try ChangesApplier().apply(archive, to: pair.first)
    }
    #expect(first?.code == .notAnArchive)
    let second = #expect(throws: CofferError.self) {
      try StoreImporter().import(pair.changes, to: pair.first + "-new.sqlite")
    }
    #expect(second?.code == .notAnArchive)
    #expect(second?.advice.contains(.inspectChanges(pair.changes)) == true)
  }

  @Test func changesThatDoNotFollowAreNotJoined() throws {
    let pair = try Pair(Self.change)
    let error = #expect(throws: CofferError.self) {
      try StoreChanges.concatenate(
        [pair.changes, pair.changes], to: .file(pair.changes + ".both"))
    }
    #expect(error?.code == .wrongState)
    #expect(!FileManager.default.fileExists(atPath: pair.changes + ".both"))
  }

  /// Each flipped byte, and each truncation of the file, is noticed.
  @Test func damagedChangesAreRefusedBeforeAnythingIsWritten() throws {
    let pair = try Pair(Self.change)
    let before = try Data(contentsOf: URL(fileURLWithPath: pair.first))
    let whole = try Data(contentsOf: URL(fileURLWithPath: pair.changes))
    let damaged = pair.changes + ".damaged"
    var random = SeededGenerator(seed: 5)
    for round in 0..<60 {
      var bytes = whole
      if round % 3 == 0 {
        bytes = bytes.prefix(random.below(whole.count))
      } else {
        bytes[random.below(whole.count)] ^= UInt8(1 << random.below(8))
      }
      try bytes.write(to: URL(fileURLWithPath: damaged))
      #expect(throws: CofferError.self, "round \(round)") {
        try ChangesApplier().apply(damaged, to: pair.first)
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: pair.first)) == before)
    #expect(try leftovers(beside: pair.first) == [])
  }

  /// A value that fits into no part stands in a version, an entity, the key and the entity of a
  /// destination.
  @Test(arguments: ["Z_OPT", "Z_ENT", "ZITEM", "Z2_ITEM"], ["text", "blob"])
  func hugeValuesInColumnsOfNumbersLeadBackToo(_ column: String, _ type: String) throws {
    let size = (4 << 20) + 10
    let value = type == "text" ? "printf('%.*c', \(size), 'x')" : "zeroblob(\(size))"
    let pair = try Pair("UPDATE ZATTACHMENTENTITY SET \(column) = \(value) WHERE Z_PK = 1")
    let back = pair.trial.file("Back-\(column)-\(type)")
    try StoreChanges(pair.changes).reverse(to: .file(back))
    try pair.trial.requireApplied(pair.changes, to: pair.first, gives: pair.second, "there")
    try pair.trial.requireApplied(back, to: pair.second, gives: pair.first, "back")
  }

  @Test func aStoreWithALogIsReplaced() throws {
    let trial = try ChangesTrial()
    let made = trial.directory.file("Made.sqlite")
    try SampleStore.write(to: made)
    let store = trial.directory.file("Logged.sqlite")
    try OpenStores.copyWithLog(
      of: made, to: store, changedBy: "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1", hasIndex: true)
    let changed = try StoreFiles(store).copy(to: trial.directory.file("Changed.sqlite"))
    try edit(changed, Self.change)
    try trial.write(from: store, to: changed, "Logged")
    try ChangesApplier().apply(trial.file("Logged"), to: store)
    #expect(try StoreComparer.differences(store, changed) == [])
  }

  @Test func aStoreThatChangesMeanwhileIsNotReplaced() throws {
    let pair = try Pair(Self.change)
    let store = pair.first
    let applier = ChangesApplier(progress: Intruder(store: store))
    let error = #expect(throws: CofferError.self) { try applier.apply(pair.changes, to: store) }
    #expect(error?.code == .storeBusy)
    let name = try GeneratorDatabase(path: store).rows(
      "SELECT ZNAME FROM ZTAGENTITY WHERE Z_PK = 2")
    #expect(name == [[.string("theirs")]])
  }

  @Test(arguments: [false, true])
  func theWayBackGoesWithARefusal(_ isReplacing: Bool) throws {
    let pair = try Pair(Self.change)
    let undo = pair.changes + ".undo"
    let earlier = Data("an earlier way back".utf8)
    if isReplacing { try earlier.write(to: URL(fileURLWithPath: undo)) }
    var options = ApplyOptions()
    options.editing.undo = .file(undo, overwriting: isReplacing)
    let applier = ChangesApplier(options: options, progress: Intruder(store: pair.first))
    let error = #expect(throws: CofferError.self) {
      try applier.apply(pair.changes, to: pair.first)
    }
    #expect(error?.code == .storeBusy)
    #expect(FileManager.default.contents(atPath: undo) == (isReplacing ? earlier : nil))
    #expect(try leftovers(beside: pair.first) == [])
  }

  private func leftovers(beside store: String) throws -> [String] {
    let folder = URL(fileURLWithPath: store).deletingLastPathComponent().path
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix(".coffer") }
  }
}
