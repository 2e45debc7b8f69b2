internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferComparison
@testable internal import CofferCore
@testable internal import CofferEditing
@testable internal import CofferTables
@testable internal import CofferVault

/// A backup that reads only changed pages is byte for byte the same as after a comparison of all rows,
/// whatever was committed.
///
/// A comparison of two states finds the same by pages as by rows.
@Suite struct PageLawTests {
  private static let seeds: [Int] = {
    let first = Effort.seed(1)
    return Array(first..<first + Effort.tries(8))
  }()

  /// One of two ways to back up the same store.
  private final class Line {
    let drafting: BackupDrafting
    private let folder: WorkFolder
    private let base: BackupBase
    private let cache: StateCache
    private(set) var state: StateFile?
    private var number = 0

    /// Begins with nothing.
    init(in directory: TemporaryDirectory, interval: Int, averageBits: UInt64) throws {
      folder = try WorkFolder(for: .backup, in: directory.path)
      var exporter = StoreExporter()
      exporter.options.threads = 1
      exporter.options.division.rule = PartRule(averageBits: averageBits)
      let series = try #require(BackupSeries(id: "0E6CA0DE-1C1F-4B0E-9B1B-4D0E0C0A0B0C"))
      cache = try #require(
        StateCache(
          in: directory.file("caches-\(interval)"), vault: UUID().uuidString, series: series))
      drafting = BackupDrafting(
        exporter: exporter, folder: folder, stateFolder: try #require(cache.workFolder()),
        comparisonInterval: interval, largestShare: 1)
      let backup = Backup(
        series: series,
        name: BackupName(
          time: VaultTrial.time(0), content: String(repeating: "0", count: 64), base: nil,
          compression: .gzip, isEncrypted: false), byteCount: 0)
      base = BackupBase(backup: backup, chain: [backup], state: nil)
    }

    /// Backs up, and remembers the state in a file.
    ///
    /// - Returns: the draft, and its bytes.
    func backUp(_ store: PersistentStore) throws -> (BackupDraft, Data) {
      let draft = try drafting.write(
        state == nil ? .full(.first) : .changes(base), from: state, of: store)
      let (recorder, path) = try #require(draft.state)
      number += 1
      cache.keep(
        recorder, at: path, of: "backup \(number)", uncomparedCount: draft.uncomparedCount)
      let known: StateFile? = cache.load()
      state = known
      #expect(known?.description.origin?.backup == "backup \(number)")
      let file = URL(fileURLWithPath: draft.path)
      let bytes = try Data(contentsOf: file)
      try FileManager.default.removeItem(at: file)
      return (draft, bytes)
    }
  }

  @Test(arguments: seeds)
  func changesFoundByPagesEqualACompleteComparison(_ seed: Int) throws {
    _ = try Self.backUp(seed)
  }

  @Test func mostBackupsOfASeriesKeepPartsOfEarlierOnes() throws {
    var (backups, keptParts, keptStates) = (0, 0, 0)
    for seed in 1...3 {
      let found = try Self.backUp(seed)
      backups += found.backups
      keptParts += found.keptParts
      keptStates += found.keptStates
    }
    #expect(backups > 10)
    #expect(keptParts > 100)
    #expect(keptStates > 0)
  }

  /// Makes a series of commits and backups.
  ///
  /// - Returns: how many backups read only what the pages told, how many parts they did not read, and how
  ///   many states they did not write again.
  private static func backUp(
    _ seed: Int
  ) throws -> (backups: Int, keptParts: Int, keptStates: Int) {
    var (backups, keptParts, keptStates) = (0, 0, 0)
    let directory = try TemporaryDirectory()
    let path = directory.file("Store.sqlite")
    var random = SeededGenerator(seed: UInt64(seed) &* 0x9E37_79B9)
    var options = GeneratorOptions()
    (options.objectCount, options.seed) = (200 + random.below(600), UInt64(seed))
    try StoreMaker.write(to: path, options)
    let usesLog = random.chance(0.5)
    var database: GeneratorDatabase? = try Self.open(path)
    _ = try database?.rows("PRAGMA journal_mode = DELETE")
    let vacuum = ["NONE", "FULL", "INCREMENTAL", "INCREMENTAL"][random.below(4)]
    try database?.run(
      "PRAGMA page_size = \([512, 1024, 4096][random.below(3)]); PRAGMA auto_vacuum = \(vacuum);"
        + "VACUUM; " + PageCommits.tables)
    if usesLog { _ = try database?.rows("PRAGMA journal_mode = WAL") }
    var (commits, more) = (RandomCommits(seed: UInt64(seed)), PageCommits(seed: UInt64(seed)))
    let bits = UInt64(8 + random.below(4))
    let byPages = try Line(in: directory, interval: .max, averageBits: bits)
    let byRows = try Line(in: directory, interval: 1, averageBits: bits)
    let place = "seed \(seed), \(usesLog ? "log" : "journal"), \(vacuum)"
    let earlier = directory.file("Earlier.sqlite")
    for step in 0..<10 {
      if step > 0 {
        try Self.copy(path, to: earlier)
        let writer = try database ?? Self.open(path)
        if random.chance(0.5) { try commits.make(in: writer) }
        try more.make(in: writer)
        // Without a connection, the store is read in place.
        database = random.chance(0.5) ? nil : writer
      }
      let access = database == nil && random.chance(0.7) ? StoreAccess.inPlace : .copy
      let store = try PersistentStore.opened(path, access)
      let (one, bytes) = try byPages.backUp(store)
      let (other, expected) = try byRows.backUp(store)
      let label: Comment = "\(place), step \(step): \(more.latest)"
      #expect(try store.pagesAddUp() != false, label)
      let isSame = bytes == expected
      #expect(isSame, label)
      #expect(one.fullReason == other.fullReason, label)
      #expect(one.summary.contentDigest == other.summary.contentDigest, label)
      #expect(other.missedTables == [], label)
      #expect(byPages.state?.isWhole == true, label)
      #expect(
        byPages.state?.description.tables == byRows.state?.description.tables, label)
      if one.uncomparedCount > 0, let recorder = one.state?.recorder {
        backups += 1
        if recorder.isUnchanged { keptStates += 1 }
        for table in byPages.state?.description.tables ?? [] {
          guard let stretches = recorder.stretches[table.name] else { continue }
          keptParts += table.parts.count - stretches.reduce(0) { $0 + $1.new.count }
        }
      }
      if step > 0 { try Self.compare(earlier, path, in: directory, label) }
      guard isSame else { break }
    }
    return (backups, keptParts, keptStates)
  }

  /// Copies a store that nobody writes.
  private static func copy(_ path: String, to target: String) throws {
    let manager = FileManager.default
    for companion in ["", "-wal", "-shm"] {
      try? manager.removeItem(atPath: target + companion)
      guard companion != "-shm", manager.fileExists(atPath: path + companion) else { continue }
      try manager.copyItem(atPath: path + companion, toPath: target + companion)
    }
  }

  /// Requires that two states of a store are compared by their pages as by their rows.
  private static func compare(
    _ first: String, _ second: String, in directory: TemporaryDirectory, _ label: Comment
  ) throws {
    var results: [(differences: String, changes: Data)] = []
    for comparesPages in [true, false] {
      var options = ComparisonOptions(includesValues: true)
      var run = ComparisonRun(options: options, progress: SilentProgress())
      var differences = ""
      for matchesByObjectID in [true, false] {
        options.matchesByObjectID = matchesByObjectID
        run = ComparisonRun(options: options, progress: SilentProgress())
        run.comparesPages = comparesPages
        let summary = try run.compare(first, second) { differences += "\($0)\n" }
        differences += "\(summary)\n"
      }
      let file = directory.file("changes")
      var recorder = ChangesRecorder(
        target: .file(file, overwriting: true), options: ChangesOptions(),
        progress: SilentProgress())
      (recorder.namesContent, recorder.run) = (false, run)
      do {
        _ = try run.open(first, second, for: recorder)
        results.append((differences, try Data(contentsOf: URL(fileURLWithPath: file))))
      } catch let error as CofferError where error.code == .modelMismatch {
        // The schema has changed.
        results.append((differences, Data()))
      }
    }
    #expect(results[0].differences == results[1].differences, label)
    let areSame = results[0].changes == results[1].changes
    #expect(areSame, label)
  }

  private static func open(_ path: String) throws -> GeneratorDatabase {
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    return database
  }
}

/// Random commits that move rows between pages in every way that there is.
private struct PageCommits {
  private var random: SeededGenerator
  /// What was done last.
  private(set) var latest = ""

  init(seed: UInt64) { random = SeededGenerator(seed: seed &+ 77) }

  /// Tables of others: with numbers of their own, with hidden ones, and without.
  static let tables = """
    CREATE TABLE Other (k INTEGER PRIMARY KEY, a, b); CREATE INDEX OtherA ON Other (a);
    CREATE TABLE Hidden (a, b); CREATE TABLE Wide (k TEXT PRIMARY KEY, a) WITHOUT ROWID;
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    INSERT INTO Other SELECT i * 10, 'a' || i, hex(zeroblob(i % 40)) FROM n;
    INSERT INTO Hidden SELECT a, b FROM Other; INSERT INTO Wide SELECT a, b FROM Other
    """

  /// Makes some commits.
  mutating func make(in database: GeneratorDatabase) throws {
    latest = ""
    for _ in 0..<random.below(5) {
      let statement = statement()
      latest += statement + "; "
      _ = try database.run(statement)
    }
  }

  /// Changes of what constraints match objects by, with duplicates once the indexes are gone.
  private mutating func uniqueness() -> String {
    let (table, number, column) = [
      ("ZPERSONENTITY", 7, "ZEMAIL"), ("ZTAGENTITY", 9, "ZNAME"),
    ][random.below(2)]
    let one = "(SELECT Z_PK FROM \(table) LIMIT 1 OFFSET \(random.below(40)))"
    let value = "(SELECT \(column) FROM \(table) LIMIT 1 OFFSET \(random.below(40)))"
    switch random.below(6) {
    case 0:
      return
        "DROP INDEX IF EXISTS Z_PersonEntity_UNIQUE_email; DROP INDEX IF EXISTS Z_TagEntity_UNIQUE_name"
    case 1: return "UPDATE OR IGNORE \(table) SET \(column) = \(value) WHERE Z_PK = \(one)"
    case 2:
      return
        "INSERT OR IGNORE INTO \(table) (Z_ENT, Z_OPT, \(column)) VALUES (\(number), 1, \(value))"
    case 3: return "UPDATE OR IGNORE \(table) SET Z_PK = Z_PK + 5000 WHERE Z_PK = \(one)"
    case 4:
      return "UPDATE OR IGNORE \(table) SET \(column) = 'u\(random.below(5))' WHERE Z_PK = \(one)"
    default: return "DELETE FROM \(table) WHERE Z_PK = \(one)"
    }
  }

  private mutating func statement() -> String {
    let table = ["Other", "Hidden"][random.below(2)]
    let (low, span) = (random.below(3000), random.below(200))
    let few = "rowid BETWEEN \(low) AND \(low + span)"
    let one = "rowid = (SELECT rowid FROM \(table) LIMIT 1 OFFSET \(random.below(300)))"
    let large = "'\(random.next())' || hex(zeroblob(\(200 << random.below(6))))"
    switch random.below(20) {
    case 18, 19: return uniqueness()
    case 0: return "UPDATE \(table) SET b = '\(random.next())' WHERE \(one)"
    case 1: return "UPDATE \(table) SET b = \(large) WHERE \(one)"
    case 2: return "UPDATE \(table) SET b = 'short' WHERE length(b) > 300"
    case 3:
      // Only the last page of a value is written, and no leaf.
      return
        "UPDATE \(table) SET b = substr(b, 1, length(b) - 1) || '\(random.below(10))' WHERE \(one)"
    case 4: return "DELETE FROM \(table) WHERE \(few)"
    case 5:
      return
        "INSERT OR IGNORE INTO \(table) (rowid, a, b) SELECT rowid + 1 + \(random.below(9)), a, b FROM \(table) WHERE \(few)"
    case 6:
      return
        "INSERT INTO \(table) (a, b) SELECT a, b || '\(random.next())' FROM \(table) WHERE \(few)"
    case 7:
      // The pages of rows that go are those of rows that come.
      return
        "DELETE FROM Hidden WHERE \(few); INSERT INTO Other (a, b) SELECT a, b FROM Other WHERE \(few)"
    case 8: return "UPDATE \(table) SET a = \(large) WHERE \(one)"
    case 9: return "INSERT OR REPLACE INTO Wide VALUES ('a\(random.below(400))', \(large))"
    case 10: return "DELETE FROM Wide WHERE k LIKE 'a\(random.below(40))%'"
    case 11: return "PRAGMA incremental_vacuum(\(1 + random.below(9)))"
    case 12:
      return "PRAGMA wal_checkpoint(\(["PASSIVE", "FULL", "RESTART", "TRUNCATE"][random.below(4)]))"
    case 13: return "UPDATE \(table) SET b = b WHERE \(few)"
    case 14:
      return random.chance(0.3)
        ? "DELETE FROM \(table)"
        : "UPDATE OR IGNORE \(table) SET rowid = rowid + 100000 WHERE \(one)"
    case 15:
      // The first row of its own, and the last that there can be.
      return
        "INSERT OR REPLACE INTO Other VALUES (\(random.chance(0.5) ? "-9223372036854775807 - 1" : "9223372036854775807"), 1, \(large))"
    case 16:
      return random.chance(0.2)
        ? "DELETE FROM Other WHERE k > 9000000000 OR k < 0"
        : "BEGIN; DELETE FROM Other; UPDATE Hidden SET a = 1; ROLLBACK"
    default:
      guard random.chance(0.3) else {
        return "UPDATE ZTAGENTITY SET ZNAME = '\(random.next())' WHERE Z_PK = \(random.below(9))"
      }
      return [
        "VACUUM", "ALTER TABLE Hidden ADD COLUMN c\(random.next() % 100_000) DEFAULT 5",
        "CREATE TABLE Copy AS SELECT * FROM Wide; DROP TABLE Wide; CREATE TABLE Wide (k TEXT PRIMARY KEY, a) WITHOUT ROWID; "
          + "INSERT INTO Wide SELECT * FROM Copy; DROP TABLE Copy",
        "DROP INDEX OtherA; CREATE INDEX OtherA ON Other (a)",
        "REINDEX",
      ][random.below(5)]
    }
  }
}
