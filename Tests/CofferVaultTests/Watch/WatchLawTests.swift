internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferComparison
@testable internal import CofferVault

/// The report of a watch equals a comparison of the states before and after, whatever was committed.
@Suite struct WatchLawTests {
  /// The numbers of seeds, and the first of them.
  private static let seeds: [Int] = {
    let first = Effort.seed(1)
    return Array(first..<first + Effort.tries(4))
  }()

  @Test(arguments: seeds)
  func looksTellWhatAComparisonSays(_ seed: Int) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Store.sqlite")
    var options = GeneratorOptions()
    (options.objectCount, options.seed) = (1200, UInt64(seed))
    try StoreMaker.write(to: path, options)
    let (usesLog, hasVacuum) = (seed & 1 == 1, seed & 2 == 2)
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    _ = try database.rows("PRAGMA journal_mode = DELETE")
    // Small pages make deep trees.
    try database.run(
      "PRAGMA page_size = \([4096, 1024, 512][seed % 3]); "
        + "PRAGMA auto_vacuum = \(hasVacuum ? "INCREMENTAL" : "NONE"); VACUUM")
    if usesLog { _ = try database.rows("PRAGMA journal_mode = WAL") }
    var commits = RandomCommits(seed: UInt64(seed))
    let watch = try StoreWatch(of: path)
    var before = try StoreFiles(path).copy(to: folder.file("0.sqlite"))
    var told = 0
    for look in 1...20 {
      try commits.make(in: database)
      let after = try StoreFiles(path).copy(to: folder.file("\(look).sqlite"))
      let place: Comment = "seed \(seed), look \(look), \(usesLog ? "log" : "journal")"
      let found = try watch.told()
      #expect(found == (try Self.differences(before, after)), place)
      told += found.count
      #expect(try watch.told() == [], place)
      try StoreFiles(before).remove()
      before = after
    }
    #expect(told > 20)
  }

  /// What a comparison of whole stores says.
  private static func differences(_ before: String, _ after: String) throws -> [Difference] {
    var found: [Difference] = []
    let comparison = StoreComparison(options: StoreWatch.comparison(WatchOptions()))
    try comparison.compare(before, after) { difference in
      if case .rows = difference { return }
      found.append(difference)
    }
    return found
  }

  // MARK: A writer that does not wait

  /// Moves one from a tag to another in each commit, until it has made so many; ends with an error as soon
  /// as somebody keeps it waiting.
  private static let writer = """
    import random, sqlite3, sys
    path, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    random.seed(seed)
    db = sqlite3.connect(path, isolation_level=None, timeout=0)
    for name in ('NSCoreDataTriggerUpdateAffectedObjectValue',
                 'NSCoreDataDATriggerInsertUpdatedAffectedObjectValue',
                 'NSCoreDataDATriggerUpdatedAffectedObjectValue'):
      db.create_function(name, 5, lambda *a: None)
    db.execute('pragma synchronous = off')
    for commit in range(count):
      db.execute('begin immediate')
      a, b = random.sample(range(1, 8), 2)
      db.execute('update ZTAGENTITY set ZCOLOR = ZCOLOR - 1 where Z_PK = ?', (a,))
      if commit % 20 == 0:
        db.execute('insert into ZVISITENTITY (Z_ENT, Z_OPT, ZARRIVAL) values (10, 1, 0)')
      db.execute('update ZTAGENTITY set ZCOLOR = ZCOLOR + 1 where Z_PK = ?', (b,))
      db.execute('commit')
    """

  @Test(
    .enabled(if: ProcessRunner.find("python3") != nil, "needs python3"), .timeLimit(.minutes(5)),
    arguments: [SampleStoreBuilder.Journal.wal, .delete])
  func writersAreNeverKeptWaitingAndEveryLookIsOneMoment(
    _ journal: SampleStoreBuilder.Journal
  ) throws {
    let sample = try SampleCopy(
      journal: journal, changedBy: "UPDATE ZTAGENTITY SET ZCOLOR = 0; DELETE FROM ZVISITENTITY")
    let watch = try StoreWatch(of: sample.path)
    let python = ProcessRunner(try #require(ProcessRunner.find("python3")))
    let process = try python.start(["-c", Self.writer, sample.path, "400", "7"])
    var colors: [String: Int] = [:]
    var visits = 0
    func look() throws {
      for difference in try watch.told() {
        guard case .object(let object) = difference else { continue }
        if object.kind == .added { visits += 1 }
        for property in object.properties where property.name == "color" {
          let name = object.objectID.description
          #expect(Int(property.oldValue ?? "0") == colors[name, default: 0])
          colors[name] = Int(property.newValue ?? "0")
        }
      }
      #expect(colors.values.reduce(0, +) == 0)
    }
    while !process.hasEnded { try look() }
    let result = try process.wait()
    #expect(result.status == 0, "\(result.errorOutput)")
    try look()
    let rows = try SampleCopy.rows(sample.path, "SELECT Z_PK, ZCOLOR FROM ZTAGENTITY")
    for row in rows {
      guard case .integer(let key) = row[0], case .integer(let color) = row[1] else { continue }
      #expect(colors["TagEntity/p\(key)", default: 0] == Int(color))
    }
    #expect(visits == 20)
  }
}

extension StoreWatch {
  /// The differences that a look reports.
  func told() throws -> [Difference] { try toldEvents().compactMap(\.difference) }

  /// The report of a look.
  func toldEvents() throws -> [WatchEvent] {
    var events: [WatchEvent] = []
    try look { events.append($0) }
    return events
  }
}

extension WatchEvent {
  /// The difference; nil for other events.
  var difference: Difference? {
    if case .difference(let difference) = self { difference } else { nil }
  }
  /// The changes; nil for other events.
  var changes: WatchedChanges? { if case .changes(let changes) = self { changes } else { nil } }
}
