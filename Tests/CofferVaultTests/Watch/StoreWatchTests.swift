internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CofferComparison
@testable internal import CofferCore
@testable internal import CofferVault

/// The reports of looks at a store.
@Suite struct StoreWatchTests {
  private let sample: SampleCopy
  private let watch: StoreWatch

  init() throws {
    sample = try SampleCopy()
    watch = try StoreWatch(of: sample.path)
  }

  /// The objects in the differences of a look, such as `changed TagEntity/p1 name`.
  private func texts(_ events: [WatchEvent]) -> [String] {
    events.compactMap { event in
      switch event.difference {
      case .object(let object):
        ([object.kind.rawValue, object.objectID.description]
          + (object.kind == .changed ? object.properties.map(\.name.text) : [])).joined(
            separator: " ")
      case .pair(let pair): "\(pair.kind.rawValue) \(pair.relationshipName)"
      case .store(let store): "store \(store.subject.rawValue) \(store.name)"
      default: nil
      }
    }
  }

  @Test func aLookWithoutCommitsTellsNothing() throws {
    #expect(try watch.toldEvents().isEmpty)
  }

  @Test func objectsAndPairsAreReported() throws {
    // The program that closes the store last removes the log, and with it the number of commits.
    let database = try GeneratorDatabase(path: sample.path)
    try database.registerCoreDataFunctions()
    try database.run(
      """
      BEGIN; UPDATE ZTAGENTITY SET ZNAME = 'new' WHERE Z_PK = 1;
      DELETE FROM ZVISITENTITY WHERE Z_PK = 1;
      INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (99, 9, 1, 'more');
      INSERT INTO Z_4TAGS VALUES (999, 1); COMMIT
      """)
    let events = try watch.toldEvents()
    #expect(
      texts(events).sorted() == [
        "added TagEntity/p99", "added tags", "changed TagEntity/p1 name", "removed VisitEntity/p1",
      ])
    #expect(events.first?.changes?.commitCount == 1)
    #expect(events.first?.changes?.mayBeSeveral == false)
  }

  @Test func insertedAndDeletedObjectsComeWithTheirValues() throws {
    try sample.change("INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (99, 9, 1, 'x')")
    guard case .object(let added)? = try watch.told().first else { throw Missing() }
    #expect(added.properties.map(\.newValue) == ["\"x\""])
    try sample.change("DELETE FROM ZTAGENTITY WHERE Z_PK = 99")
    guard case .object(let removed)? = try watch.told().first else { throw Missing() }
    #expect(removed.properties.map(\.oldValue) == ["\"x\""])
  }

  private struct Missing: Error {}

  @Test func severalCommitsAreTogetherOneNetChange() throws {
    let database = try GeneratorDatabase(path: sample.path)
    for number in 1...3 {
      try database.run("UPDATE ZTAGENTITY SET ZNAME = '\(number)' WHERE Z_PK = 1")
    }
    let events = try watch.toldEvents()
    #expect(texts(events) == ["changed TagEntity/p1 name"])
    #expect(events.first?.changes?.commitCount == 3)
  }

  @Test func changesUndoneBetweenTwoLooksAreNotReported() throws {
    let database = try GeneratorDatabase(path: sample.path)
    try database.run("UPDATE ZTAGENTITY SET ZCOLOR = ZCOLOR + 1 WHERE Z_PK = 1")
    try database.run("UPDATE ZTAGENTITY SET ZCOLOR = ZCOLOR - 1 WHERE Z_PK = 1")
    #expect(try watch.toldEvents().isEmpty)
  }

  @Test func countersAndHistoryAreNotReported() throws {
    try sample.change(
      "UPDATE ZTAGENTITY SET Z_OPT = Z_OPT + 1; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1; "
        + "UPDATE ACHANGE SET ZENTITYPK = ZENTITYPK + 1")
    #expect(try watch.toldEvents().isEmpty)
  }

  @Test func commitsInRollbackModeAreCountedToo() throws {
    let sample = try SampleCopy(journal: .delete)
    let watch = try StoreWatch(of: sample.path)
    for number in 1...2 {
      try sample.change("UPDATE ZTAGENTITY SET ZCOLOR = \(number) WHERE Z_PK = 1")
    }
    let events = try watch.toldEvents()
    #expect(texts(events) == ["changed TagEntity/p1 color"])
    #expect(events.first?.changes?.commitCount == 2)
  }

  @Test func aCommitInARestartedLogIsReported() throws {
    let database = try GeneratorDatabase(path: sample.path)
    for number in 1...3 {
      try database.run("UPDATE ZTAGENTITY SET ZCOLOR = -\(number) WHERE Z_PK = 1")
      // The next commit restarts the log before the watch looks.
      _ = try database.rows("PRAGMA wal_checkpoint(RESTART)")
      try database.run("UPDATE ZTAGENTITY SET ZNAME = 'name \(number)' WHERE Z_PK = 2")
      #expect(
        texts(try watch.toldEvents()) == [
          "changed TagEntity/p1 color", "changed TagEntity/p2 name",
        ])
    }
  }

  @Test func onlyNamedEntitiesAreReported() throws {
    var options = WatchOptions()
    options.entityNames = ["VisitEntity"]
    let watch = try StoreWatch(of: sample.path, options: options)
    try sample.change("UPDATE ZTAGENTITY SET ZCOLOR = 77; UPDATE ZVISITENTITY SET ZARRIVAL = 7")
    let texts = texts(try watch.toldEvents())
    #expect(!texts.isEmpty && texts.allSatisfy { $0.hasPrefix("changed VisitEntity/") })
    options.entityNames = ["Unknown"]
    let unknown = options
    let error = #expect(throws: CofferError.self) {
      _ = try StoreWatch(of: sample.path, options: unknown)
    }
    #expect(error?.code == .noSuchEntity)
  }

  // MARK: The store as such

  @Test func aChangedSchemaIsReported() throws {
    try sample.change("CREATE INDEX Z_Sample ON ZTAGENTITY (ZCOLOR)")
    let texts = texts(try watch.toldEvents())
    #expect(texts.count == 1 && texts[0].contains("Z_Sample"), "\(texts)")
  }

  @Test func aStoreThatIsRestoredOverItselfIsComparedWithWhatItWas() throws {
    let archive = sample.folder.file("a.coffer.tar.gz")
    _ = try StoreExporter().export(storeAt: sample.path, to: archive)
    try sample.change("UPDATE ZTAGENTITY SET ZNAME = 'x' WHERE Z_PK = 1")
    #expect(texts(try watch.toldEvents()) == ["changed TagEntity/p1 name"])
    try StoreImporter(options: ImportOptions(overwriting: true)).import(archive, to: sample.path)
    let events = try watch.toldEvents()
    #expect(events.first?.changes?.isReplaced == true)
    #expect(texts(events) == ["changed TagEntity/p1 name"])
  }

  @Test func anotherStoreInThePlaceIsSaidAndWatched() throws {
    let other = try SampleCopy(
      changedBy: "UPDATE Z_METADATA SET Z_UUID = '00000000-0000-4000-8000-000000000001'")
    try StoreFiles(sample.path).remove()
    _ = try StoreFiles(other.path).copy(to: sample.path)
    let events = try watch.toldEvents()
    guard events.count == 1, case .replaced = events[0] else {
      Issue.record("\(events)")
      return
    }
    try sample.change("UPDATE ZTAGENTITY SET ZNAME = 'x' WHERE Z_PK = 1")
    #expect(texts(try watch.toldEvents()) == ["changed TagEntity/p1 name"])
  }

  @Test func aStoreThatGoesAndComesBackIsWatchedAgain() throws {
    let copy = try StoreFiles(sample.path).copy(to: sample.folder.file("Copy.sqlite"))
    try StoreFiles(sample.path).remove()
    guard case .removed? = try watch.toldEvents().first else { throw Missing() }
    #expect(try watch.toldEvents().isEmpty)
    // A program that makes a store makes its file first.
    #expect(FileManager.default.createFile(atPath: sample.path, contents: nil))
    #expect(try watch.toldEvents().isEmpty)
    try FileManager.default.removeItem(atPath: sample.path)
    try GeneratorDatabase(path: copy).run("UPDATE ZTAGENTITY SET ZNAME = 'x' WHERE Z_PK = 1")
    _ = try StoreFiles(copy).copy(to: sample.path)
    #expect(texts(try watch.toldEvents()) == ["changed TagEntity/p1 name"])
  }

  @Test func anUnfinishedTransactionIsMentionedOnceAndThenReported() throws {
    let sample = try SampleCopy(journal: .delete)
    var options = WatchOptions()
    options.patience = 0
    let watch = try StoreWatch(of: sample.path, options: options)
    let database = try GeneratorDatabase(path: sample.path)
    try database.registerCoreDataFunctions()
    // A cache this small spills changed pages into the file before the transaction ends.
    try database.run("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE")
    try database.run("UPDATE ZTAGENTITY SET ZNAME = Z_PK || hex(zeroblob(5000))")
    guard case .waiting(let error)? = try watch.toldEvents().first else { throw Missing() }
    #expect(error.code == .storeBusy)
    #expect(try watch.toldEvents().isEmpty)
    try database.run("UPDATE ZTAGENTITY SET ZNAME = 'x' || Z_PK; COMMIT")
    let events = try watch.toldEvents()
    #expect(texts(events).contains("changed TagEntity/p1 name"))
    #expect(events.first?.changes?.commitCount == 1)
  }

  /// A writer can keep a watch from beginning, and does not end it.
  @Test func aWatchBeginsWhenATransactionEnds() throws {
    let sample = try SampleCopy(journal: .delete)
    var options = WatchOptions()
    options.patience = 0
    let database = try GeneratorDatabase(path: sample.path)
    try database.registerCoreDataFunctions()
    try database.run("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE")
    try database.run("UPDATE ZTAGENTITY SET ZNAME = Z_PK || hex(zeroblob(5000))")
    #expect(throws: CofferError.self) { try StoreWatch(of: sample.path, options: options) }
    var codes: [CofferError.Code] = []
    let watch = try StoreWatch.begin(sample.path, options: options) { event in
      guard case .waiting(let error) = event else { throw Missing() }
      codes.append(error.code)
      try database.run("COMMIT")
    }
    #expect(codes == [.storeBusy])
    try database.run("UPDATE ZTAGENTITY SET ZCOLOR = ZCOLOR + 1 WHERE Z_PK = 1")
    #expect(texts(try watch.toldEvents()) == ["changed TagEntity/p1 color"])
  }

  @Test func whatIsNoStoreAnyMoreEndsTheWatch() throws {
    try StoreFiles(sample.path).remove()
    try Data(repeating: 7, count: 5000).write(to: URL(filePath: sample.path))
    let error = #expect(throws: CofferError.self) { try watch.look { _ in } }
    #expect(error?.code == .notSQLite)
  }

  // MARK: Watching

  @Test func aWatchThatIsAwaitedEndsWithItsTask() async throws {
    let path = sample.path
    let task = Task { try await StoreWatcher().watch(path) { _ in } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// Whether a watch has ended.
  private final class End: Sendable {
    private let mutex = Mutex(false)
    var isReached: Bool { mutex.withLock { $0 } }
    func reach() { mutex.withLock { $0 = true } }
  }

  @Test(.timeLimit(.minutes(2))) func theEventsOfAStoreAreASequence() async throws {
    let (path, end) = (sample.path, End())
    let task = Task { () async throws -> Bool in
      defer { end.reach() }
      for try await event in StoreWatcher().events(of: path) {
        if case .difference = event { return true }
      }
      return false
    }
    let database = try GeneratorDatabase(path: path)
    while !end.isReached {
      try database.run("UPDATE ZTAGENTITY SET ZCOLOR = ZCOLOR + 1 WHERE Z_PK = 1")
      // A watch begins with a state that lasts for as long as it is copied.
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(try await task.value)
  }

  @Test(.timeLimit(.minutes(2))) func aWatchThatIsAwaitedTellsWhatIsCommitted() async throws {
    let (path, end) = (sample.path, End())
    let task = Task { () async throws -> Void in
      defer { end.reach() }
      try await StoreWatcher().watch(path) { event in
        if case .difference = event { throw Missing() }
      }
    }
    // It is unknown when the watch has started, so commit until it reports a change.
    let database = try GeneratorDatabase(path: path)
    while !end.isReached {
      try database.run("UPDATE ZTAGENTITY SET ZCOLOR = ZCOLOR + 1 WHERE Z_PK = 1")
      // A watch begins with a state that lasts for as long as it is copied.
      try await Task.sleep(for: .milliseconds(50))
    }
    await #expect(throws: Missing.self) { try await task.value }
  }

  // MARK: Verification

  @Test func newAndResolvedFindingsAreReported() throws {
    var options = WatchOptions()
    options.verifies = true
    let watch = try StoreWatch(of: sample.path, options: options)
    let before = watch.findings
    try sample.change("UPDATE ZVISITENTITY SET Z_ENT = 77 WHERE Z_PK = 1")
    var codes: [FindingCode] = []
    try watch.look { if case .newFinding(let finding) = $0 { codes.append(finding.code) } }
    #expect(codes.contains { $0.severity == .error })
    #expect(watch.findings != before)
    try sample.change("UPDATE ZVISITENTITY SET Z_ENT = 10 WHERE Z_PK = 1")
    var gone: [FindingCode] = []
    try watch.look { if case .goneFinding(let finding) = $0 { gone.append(finding.code) } }
    #expect(gone == codes)
    #expect(watch.findings == before)
  }

  @Test func aWatchLeavesNothingBehind() throws {
    let parent = try TemporaryDirectory()
    var options = WatchOptions()
    options.environment.temporaryFolder = parent.path
    var watch: StoreWatch? = try StoreWatch(of: sample.path, options: options)
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path).count == 1)
    try watch?.look { _ in }
    watch = nil
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path).isEmpty)
  }
}
