internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

@testable internal import CofferCore

/// Exports of a store that another process writes as fast as it can.
///
/// Four threads export, in place where that is possible.
@Suite struct LiveExportTests {
  private static let count = Effort.tries(15)
  /// Commits until a file named `stop` appears next to the store; every transaction keeps paired rows
  /// equal and a sum constant, in tables that are far apart in the archive.
  private static let writer = """
    import os, random, sqlite3, sys
    path, timeout = sys.argv[1], float(sys.argv[2])
    stop = os.path.join(os.path.dirname(path), 'stop')
    db = sqlite3.connect(path, isolation_level=None, timeout=timeout)
    for name in ('NSCoreDataTriggerUpdateAffectedObjectValue',
                 'NSCoreDataDATriggerInsertUpdatedAffectedObjectValue',
                 'NSCoreDataDATriggerUpdatedAffectedObjectValue'):
      db.create_function(name, 5, lambda *a: None)
    db.execute('pragma synchronous = off')
    commits = 0
    while not os.path.exists(stop):
      db.execute('begin immediate')
      db.execute('update ZATTACHMENTENTITY set ZSIZE = ZSIZE + 1 where Z_PK = 1')
      a, b = random.sample(range(1, 8), 2)
      db.execute('update ZTAGENTITY set ZCOLOR = ZCOLOR - 3 where Z_PK = ?', (a,))
      if commits % 50 == 0:
        db.execute('insert into ZVISITENTITY (Z_ENT, Z_OPT, ZARRIVAL) values (10, 1, 0)')
        db.execute('update ZLOCATIONENTITY set ZTODOCOUNT = ZTODOCOUNT + 1 where Z_PK = 3')
      db.execute('update ZTAGENTITY set ZCOLOR = ZCOLOR + 3 where Z_PK = ?', (b,))
      db.execute('update ACHANGE set ZENTITYPK = ZENTITYPK + 1 where Z_PK = 1')
      db.execute('commit')
      commits += 1
      if commits == 1: open(os.path.join(os.path.dirname(path), 'ready'), 'w').close()
    print(commits)
    """

  /// The invariant in a snapshot of the store.
  private struct State: Equatable {
    let commits, mirrored, sum, visits, counted: StoreValue

    init(_ path: String) throws {
      func value(_ sql: String) throws -> StoreValue {
        try #require(try SampleCopy.rows(path, sql).first?.first)
      }
      commits = try value("SELECT ZSIZE FROM ZATTACHMENTENTITY WHERE Z_PK = 1")
      mirrored = try value("SELECT ZENTITYPK FROM ACHANGE WHERE Z_PK = 1")
      sum = try value("SELECT sum(ZCOLOR) FROM ZTAGENTITY")
      visits = try value("SELECT count(*) FROM ZVISITENTITY")
      counted = try value("SELECT ZTODOCOUNT FROM ZLOCATIONENTITY WHERE Z_PK = 3")
    }
  }

  @Test(
    .enabled(if: ProcessRunner.find("python3") != nil, "needs python3"), .timeLimit(.minutes(5)),
    arguments: [(SampleStoreBuilder.Journal.wal, count, "0"), (.delete, max(6, count / 5), "60")])
  func everyExportIsOneMoment(
    _ journal: SampleStoreBuilder.Journal, _ count: Int, _ timeout: String
  ) throws {
    let sample = try SampleCopy(
      journal: journal,
      changedBy: """
        UPDATE ZATTACHMENTENTITY SET ZSIZE = 0 WHERE Z_PK = 1;
        UPDATE ACHANGE SET ZENTITYPK = 0 WHERE Z_PK = 1; DELETE FROM ZVISITENTITY;
        UPDATE ZLOCATIONENTITY SET ZTODOCOUNT = 0 WHERE Z_PK = 3
        """)
    let sum = try State(sample.path).sum
    let python = ProcessRunner(try #require(ProcessRunner.find("python3")))
    let process = try python.start(["-c", Self.writer, sample.path, timeout])
    let ready = sample.folder.file("ready")
    while !FileManager.default.fileExists(atPath: ready), process.errorOutputSoFar.isEmpty {
      usleep(1000)
    }
    var seen: [Int64] = []
    let outcome = Result {
      for number in 0..<count {
        let state = try Self.restoredState(of: sample.path, number % 2 == 0 ? .inPlace : .copy)
        #expect(state.commits == state.mirrored)
        #expect(state.sum == sum)
        #expect(state.visits == state.counted)
        if case .integer(let commits) = state.commits { seen.append(commits) }
      }
    }
    _ = try sample.folder.write([], to: "stop")
    let result = try process.wait()
    try outcome.get()
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(seen.count == count)
    #expect(seen == seen.sorted())
    #expect(Set(seen).count > 1, "the writer was at work")
    let commits = Int64(result.output.split(separator: "\n").last ?? "")
    let last = try State(sample.path)
    #expect(last.commits == commits.map(StoreValue.integer), "the writer lost nothing")
    #expect(last.mirrored == last.commits && last.sum == sum)
    #expect(try SampleCopy.rows(sample.path, "PRAGMA integrity_check") == [["ok"]])
  }

  private static func restoredState(of path: String, _ access: StoreAccess) throws -> State {
    let folder = try TemporaryDirectory()
    let archive = folder.file("Store.coffer.tar.gz")
    let store = try PersistentStore(readingFrom: path, access: access)
    var options = ExportOptions(threads: 4)
    options.division.sizePerConnection = 1
    try StoreExporter(options: options).export(store, to: archive)
    store.close()
    try StoreImporter().import(archive, to: folder.file("Copy.sqlite"))
    return try State(folder.file("Copy.sqlite"))
  }
}
