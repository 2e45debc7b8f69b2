internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// What a compaction leaves behind, and that everything else is as it was.
@Suite struct CompactionTests {
  private let directory: TemporaryDirectory
  private let store: String
  private let before: String

  /// The sample store: 5 transactions of the history with 21 changes.
  init() throws {
    directory = try TemporaryDirectory()
    store = directory.file("Store.sqlite")
    before = directory.file("Before.sqlite")
    try SampleStore.write(to: store)
  }

  private func edit(_ statements: String) throws {
    let database = try GeneratorDatabase(path: store)
    try database.registerCoreDataFunctions()
    try database.run(statements)
  }

  /// Leaves free pages.
  private func bloat(kilobytes: Int = 500) throws {
    try edit(
      """
      CREATE TABLE bloat (a);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(kilobytes))
        INSERT INTO bloat SELECT randomblob(1000) FROM n;
      DROP TABLE bloat;
      """)
  }

  private func keep() throws { _ = try StoreFiles(store).copy(to: before) }

  private func compactor(_ limit: HistoryLimit? = nil) -> StoreCompactor {
    var options = CompactionOptions()
    options.historyLimit = limit
    return StoreCompactor(options: options)
  }

  private func integers(_ query: String) throws -> [Int64] {
    try GeneratorDatabase(path: store).rows(query).compactMap(\.first?.integer)
  }

  private func size(_ path: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: path)).count
  }

  private static let orphan = "AAAAAAAA-0000-4000-8000-000000000001"

  private func addOrphan() throws {
    let path = "\(StoreFiles(store).externalDataFolder)/\(Self.orphan)"
    try Data(repeating: 7, count: 3000).write(to: URL(fileURLWithPath: path))
  }

  // MARK: Free pages

  @Test func freePagesGoAndAllElseStays() throws {
    try bloat()
    try keep()
    let plan = try compactor().plan(store)
    #expect(plan.freeByteCount > 500_000)
    #expect(plan.wonByteCount == plan.freeByteCount)
    let summary = try compactor().compact(store)
    #expect(summary.plan == plan)
    #expect(try size(store) == summary.byteCount)
    #expect(try size(store) <= plan.byteCount - plan.freeByteCount)
    #expect(try StoreComparer.differences(before, store) == [])
    #expect(try integers("PRAGMA freelist_count") == [0])
    #expect(try compactor().plan(store).wonByteCount == 0)
  }

  @Test func aStoreInWhichNothingCanBeWonIsNotTouched() throws {
    _ = try compactor().compact(store)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let summary = try compactor().compact(store)
    #expect(!summary.isWritten && summary.byteCount == nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
    #expect(try compactor().compact(store, at: directory.file("New.sqlite")).isWritten)
    #expect(try StoreComparer.differences(store, directory.file("New.sqlite")) == [])
  }

  /// Tables of the app's own, with row numbers that nothing shows, and whatever else SQLite knows.
  @Test(arguments: [0, 1, 2])
  func whatAnAppHasAddedStaysAsItIs(autoVacuum: Int) throws {
    try edit(
      """
      PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = \(autoVacuum); PRAGMA page_size = 1024;
      VACUUM; PRAGMA user_version = 7; PRAGMA application_id = 99; PRAGMA journal_mode = WAL;
      CREATE TABLE own_plain (a, b INTEGER);
      INSERT INTO own_plain (rowid, a, b) VALUES (5, x'00', 1), (9, 'text', NULL), (-3, 1.5, 2);
      CREATE TABLE own_indexed (a, b); CREATE INDEX own_index ON own_indexed (b, a) WHERE b > 1;
      INSERT INTO own_indexed (rowid, a, b) VALUES (4, 1, 1), (11, 2, 3), (12, 'x', 2);
      CREATE TABLE own_keyed (a TEXT, b, PRIMARY KEY (b, a)) WITHOUT ROWID;
      INSERT INTO own_keyed VALUES ('b', 2), ('a', 2), ('z', 1);
      CREATE TABLE own_computed (a INTEGER PRIMARY KEY, b, c AS (b || a) STORED);
      INSERT INTO own_computed (a, b) VALUES (3, 'b'), (70000000000, NULL);
      CREATE TABLE own_counted (a INTEGER PRIMARY KEY AUTOINCREMENT, b);
      INSERT INTO own_counted (b) VALUES (1), (2), (3); DELETE FROM own_counted WHERE a = 3;
      CREATE VIRTUAL TABLE own_text USING fts5(body); INSERT INTO own_text VALUES ('some words');
      CREATE VIRTUAL TABLE own_tree USING rtree(id, low, high); INSERT INTO own_tree VALUES (2, 1, 3);
      CREATE VIEW own_view AS SELECT a FROM own_plain;
      CREATE TRIGGER own_trigger AFTER INSERT ON own_plain BEGIN DELETE FROM own_keyed; END;
      ANALYZE;
      """)
    try bloat()
    try keep()
    try StoreFiles(store).remove()
    _ = try compactor().compact(before, at: store)
    #expect(try StoreComparer.differences(before, store) == [])
    #expect(try integers("SELECT seq FROM sqlite_sequence") == [3])
    #expect(try integers("SELECT rowid FROM own_indexed ORDER BY 1") == [4, 11, 12])
    #expect(try integers("SELECT rowid FROM own_text WHERE own_text MATCH 'words'") == [1])
    #expect(try integers("SELECT id FROM own_tree WHERE low > 0") == [2])
    #expect(try autoVacuum == 1 || size(store) < size(before) - 400_000)
  }

  @Test func aStatementThatNoStoreHasIsRefused() throws {
    try edit("CREATE TABLE own (a DEFAULT (load_extension('x')))")
    try bloat()
    let error = #expect(throws: CofferError.self) { try compactor().compact(store) }
    #expect(error?.code == .refused)
    #expect(error?.advice == [])
  }

  /// What is in the log alone counts.
  @Test func aStoreWithALogIsCompacted() throws {
    try bloat()
    let live = directory.file("Live.sqlite")
    try OpenStores.copyWithLog(
      of: store, to: live, changedBy: "UPDATE ZTAGENTITY SET ZNAME = 'new' || Z_PK", hasIndex: true)
    _ = try StoreFiles(live).copy(to: before)
    #expect(try compactor().compact(live).isWritten)
    #expect(try StoreComparer.differences(before, live) == [])
  }

  // MARK: Files

  @Test func orphanedFilesGoAndTheOthersAreNotCopied() throws {
    let folder = StoreFiles(store).externalDataFolder
    let names = StoreFiles(store).externalFileNames
    try addOrphan()
    let identities = try names.map { try number(of: "\(folder)/\($0)") }
    let summary = try compactor().compact(store)
    #expect(summary.plan.orphanedFileCount == 1)
    #expect(summary.plan.orphanedByteCount == 3000)
    #expect(StoreFiles(store).externalFileNames == names)
    #expect(try names.map { try number(of: "\(folder)/\($0)") } == identities)
    #expect(try Verification(of: store).texts == [])
  }

  private func number(of path: String) throws -> UInt64? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
  }

  @Test func withoutAModelNoFileCountsAsOrphaned() throws {
    try addOrphan()
    try edit("DELETE FROM Z_MODELCACHE")
    try bloat()
    let summary = try compactor().compact(store)
    #expect(summary.isWritten && summary.plan.orphanedFileCount == nil)
    #expect(StoreFiles(store).externalFileNames.contains(Self.orphan))
  }

  // MARK: History

  @Test func theHistoryBeforeATransactionGoesWithItsTexts() throws {
    try bloat()
    try keep()
    let findings = try Verification(of: store).texts
    let summary = try compactor(.transaction(3)).compact(store)
    #expect(summary.plan.transactionCount == 2)
    #expect(try integers("SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK") == [3, 4, 5])
    #expect(try integers("SELECT DISTINCT ZTRANSACTIONID FROM ACHANGE ORDER BY 1").min() == 3)
    #expect(try integers("SELECT count(*) FROM ACHANGE") == [Int64(21 - summary.plan.changeCount)])
    #expect(try Verification(of: store).texts == findings)
    // Numbers that were handed out do not come again.
    #expect(try integers("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == [21, 5, 6])
    var comparer = StoreComparer()
    comparer.ignoredTables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
    #expect(try comparer.differences(before, store) == [])
  }

  /// A clock that was wrong leaves no hole.
  @Test func theHistoryBeforeATimeGoesInOnePiece() throws {
    try edit(
      "UPDATE ATRANSACTION SET ZTIMESTAMP = CASE Z_PK WHEN 1 THEN 10.5 WHEN 2 THEN 30 ELSE 20 END")
    let time = Instant(secondsSince1970: 978_307_200 + 25)
    #expect(try compactor(.time(time)).compact(store).plan.transactionCount == 1)
    #expect(try integers("SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK") == [2, 3, 4, 5])
  }

  @Test func allOfTheHistoryCanGo() throws {
    let now = HistoryLimit.time(Instant(secondsSince1970: .max))
    #expect(try compactor(now).compact(store).plan.changeCount == 21)
    for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
      #expect(try integers("SELECT count(*) FROM \(table)") == [0])
    }
    #expect(try Verification(of: store).texts == [])
    #expect(try !compactor(now).compact(store).isWritten)
  }

  @Test func aStoreWithoutHistoryHasNoneToCut() throws {
    try edit("DROP TABLE ACHANGE; DROP TABLE ATRANSACTION; DROP TABLE ATRANSACTIONSTRING")
    #expect(try compactor(.transaction(9)).compact(store).plan.transactionCount == 0)
  }

  @Test func theHistoryOfAMirroredStoreStaysUnlessThatIsAllowed() throws {
    try edit(
      "CREATE TABLE ANSCKMETADATAENTRY (Z_PK INTEGER PRIMARY KEY, ZKEY VARCHAR);"
        + "INSERT INTO ANSCKMETADATAENTRY VALUES (1, 'x')")
    let error = #expect(throws: CofferError.self) { try compactor(.transaction(3)).compact(store) }
    #expect(error?.code == .mirroredStore)
    try bloat()
    #expect(try compactor().compact(store).isWritten)
    var allowing = compactor(.transaction(3))
    allowing.options.editing.allowsMirrored = true
    #expect(try allowing.compact(store).plan.transactionCount == 2)
  }

  @Test func aHistoryOfAnUnknownFormIsRefused() throws {
    try edit("ALTER TABLE ATRANSACTION RENAME COLUMN ZTIMESTAMP TO ZTIME")
    let error = #expect(throws: CofferError.self) { try compactor(.transaction(3)).plan(store) }
    #expect(error?.code == .refused)
    #expect(throws: Never.self) { try compactor().plan(store) }
  }

  // MARK: Undo

  @Test func theUndoBringsBackHistoryAndFiles() throws {
    try addOrphan()
    try keep()
    var compactor = compactor(.transaction(4))
    compactor.options.editing.undo = .file(directory.file("undo"), overwriting: false)
    #expect(try compactor.compact(store).isWritten)
    #expect(try StoreComparer.differences(before, store) != [])
    try ChangesApplier().apply(directory.file("undo"), to: store)
    #expect(try StoreComparer.differences(before, store) == [])
  }

  /// An app that saves while the compact store is made must not lose that.
  @Test func aStoreThatChangesMeanwhileStays() throws {
    try bloat()
    let path = store
    let error = #expect(throws: CofferError.self) {
      try compactor().compact(path) { _ in
        let database = try GeneratorDatabase(path: path)
        try database.registerCoreDataFunctions()
        try database.run("UPDATE ZTAGENTITY SET ZNAME = 'theirs' || Z_PK")
      }
    }
    #expect(error?.code == .storeBusy)
    #expect(try integers("SELECT count(*) FROM ZTAGENTITY WHERE ZNAME LIKE 'theirs%'") != [0])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path)
        .allSatisfy { !$0.contains("coffer") })
  }

  @Test func theAsynchronousTwinDoesTheSame() async throws {
    try bloat()
    #expect(try await compactor().plan(store).wonByteCount > 0)
    #expect(try await compactor().compact(store).isWritten)
  }

  // MARK: Real stores

  /// Every store that is not large, with a history or without: its content and its findings stay.
  @Test(arguments: RealStores.any)
  func everyStoreKeepsItsContent(_ real: RealStore) throws {
    let path = try RealStores.copy(real, to: directory)
    guard try size(path) < 1_000_000 else { return }
    _ = try StoreFiles(path).copy(to: before)
    let digest = try contentDigest(of: path)
    let findings = try Verification(of: path).texts
    let target = directory.file("Compact.sqlite")
    let summary = try compactor().compact(path, at: target)
    #expect(try StoreComparer.differences(before, path) == [])
    var comparer = StoreComparer()
    comparer.comparesFiles = summary.plan.orphanedFileCount == 0
    #expect(try comparer.differences(before, target) == [])
    #expect(summary.byteCount ?? .max <= summary.plan.byteCount)
    guard comparer.comparesFiles else { return }
    #expect(try contentDigest(of: target) == digest)
    #expect(try Verification(of: target).texts == findings)
  }

  private func contentDigest(of path: String) throws -> String {
    try StoreExporter().contentDigest(of: PersistentStore(readingFrom: path))
  }
}
