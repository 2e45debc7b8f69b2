internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// What is read of a persistent history.
@Suite struct HistoryReaderTests {
  /// A store with a history, and the lines that are read from it.
  private struct Trial {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
      directory = try TemporaryDirectory()
      path = directory.file("Sample.sqlite")
      try SampleStore.write(to: path)
    }

    func run(_ statement: String) throws { try GeneratorDatabase(path: path).run(statement) }

    func lines(_ options: HistoryOptions = HistoryOptions()) throws -> [String] {
      try HistoryReaderTests.lines(path, options).lines
    }
  }

  private static func lines(
    _ path: String, _ options: HistoryOptions = HistoryOptions()
  ) throws -> (lines: [String], summary: HistorySummary) {
    var lines: [String] = []
    let summary = try HistoryReader(options: options).read(path) { entry in
      switch entry {
      case .transaction(let transaction):
        lines.append("\(transaction.number) transaction \(transaction.author ?? "-")")
      case .change(let change):
        let names = change.propertyNames.map { $0.joined(separator: ",") } ?? "-"
        lines.append(
          "\(change.transaction) \(change.kind.rawValue) \(change.objectID.entityName) "
            + "\(change.objectID.primaryKey) \(names)")
      }
    }
    return (lines, summary)
  }

  private static func isChange(_ line: String) -> Bool { !line.contains(" transaction ") }

  /// Reads the tables in its own way, with the positions of an independent decoder.
  private static let program = """
    import sys, os, plistlib
    sys.path.insert(0, os.environ['COFFER_ORACLES'])
    import ddl, modelcache
    path = sys.stdin.read()
    c = modelcache.open_copy(path)
    tables = {n: q for n, q in c.execute("select name, sql from sqlite_master where type='table'")}
    if 'ACHANGE' in tables and 'Z_MODELCACHE' in tables:
        ents = {n: e for e, n in c.execute('select Z_ENT, Z_NAME from Z_PRIMARYKEY where Z_ENT < 16000')}
        hints = {n: [x.split()[0] for x in ddl.cols(q)] for n, q in tables.items()
                 if n.startswith('Z') and '(' in q}
        s = ddl.Store(modelcache.load_store(path), ents, 1400, hints)
        names = {e: n for n, e in ents.items()}
        for t, k, e, p, m in c.execute('select ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS '
                                       'from ACHANGE order by ZTRANSACTIONID, Z_PK'):
            text = '-'
            if k == 1:
                found = set()
                for i, place in enumerate(s.change_positions(names[e])):
                    if m[i // 8] & 0x80 >> i % 8:
                        for prefix in ('(entity of ', '(order in '):
                            if place.startswith(prefix): place = place[len(prefix):-1]
                        found.add(place)
                text = ','.join(sorted(found))
            print(t, ['inserted', 'updated', 'deleted'][k], names[e], p, text)
    """

  @Test(.enabled(if: RealStores.isAvailable && Oracle.isAvailable, "needs stores and oracles"))
  func changedPropertiesAreThoseOfAnIndependentDecoder() throws {
    var (updates, stores) = (0, 0)
    for store in RealStores.all {
      let directory = try TemporaryDirectory()
      let path = try RealStores.copy(store, to: directory)
      let (lines, summary) = try Self.lines(path)
      guard summary.changeCount > 0 else { continue }
      let answer = try Oracle.run(program: Self.program, input: Array(path.utf8))
      #expect(answer.status == 0, "\(store.name): \(answer.errorOutput)")
      let expected = answer.output.split(separator: "\n", omittingEmptySubsequences: true)
      if expected.isEmpty { continue }
      let changes = lines.filter(Self.isChange)
      #expect(changes == expected.map(String.init), "\(store.name)")
      stores += 1
      updates += expected.count { $0.contains(" updated ") }
    }
    #expect(stores >= 6 && updates > 500, "\(stores) stores, \(updates) updates")
  }

  @Test func anArchiveHasTheHistoryOfItsStore() throws {
    let trial = try Trial()
    let archive = trial.directory.file("a.tar.gz")
    try StoreExporter().export(storeAt: trial.path, to: archive)
    let (lines, summary) = try Self.lines(trial.path)
    #expect(summary.transactionCount > 2 && summary.changeCount > 10 && summary.isKept)
    #expect(summary.transactionCount + summary.changeCount == lines.count)
    let other = try Self.lines(archive)
    #expect(other.lines == lines && other.summary == summary)
  }

  @Test func changesAreThoseOfTheAskedForObjectsTimesAndAuthors() throws {
    let trial = try Trial()
    let all = try trial.lines()
    let tags = try trial.lines(HistoryOptions(entityName: "TagEntity"))
    #expect(
      tags.filter(Self.isChange) == all.filter { Self.isChange($0) && $0.contains(" TagEntity ") })
    #expect(tags.filter { !Self.isChange($0) }.count < all.filter { !Self.isChange($0) }.count)
    let one = try trial.lines(HistoryOptions(entityName: "TagEntity", primaryKey: 1))
    #expect(one.filter(Self.isChange) == all.filter { $0.contains(" TagEntity 1 ") })
    var query = HistoryOptions()
    query.author = "app"
    #expect(
      try trial.lines(query).filter { !Self.isChange($0) } == all.filter { $0.hasSuffix(" app") })
    query.author = nil
    query.since = Date(timeIntervalSinceReferenceDate: 2_000_000_000)
    #expect(try trial.lines(query) == [])
    query.since = Date(timeIntervalSince1970: 0)
    #expect(try trial.lines(query) == all)
  }

  @Test func changesOutOfOrderStandWithTheirTransactions() throws {
    let trial = try Trial()
    let before = try trial.lines()
    // The keys of all changes run backwards.
    try trial.run("UPDATE ACHANGE SET Z_PK = -Z_PK")
    let after = try trial.lines()
    #expect(after != before && after.sorted() == before.sorted())
    let numbers = after.compactMap { Int($0.prefix { $0 != " " }) }
    #expect(numbers == numbers.sorted())
  }

  @Test func aChangeWithoutItsTransactionIsShown() throws {
    let trial = try Trial()
    try trial.run("DELETE FROM ATRANSACTION WHERE Z_PK = 1")
    var missing: [Int64] = []
    try HistoryReader().read(trial.path) { entry in
      if case .transaction(let found) = entry, !found.isRecorded { missing.append(found.number) }
    }
    #expect(missing == [1])
  }

  @Test func propertiesAreUnknownWhereTheMaskIsOfAnotherModel() throws {
    let trial = try Trial()
    try trial.run("UPDATE ACHANGE SET ZCOLUMNS = zeroblob(9) WHERE ZCHANGETYPE = 1")
    let lines = try trial.lines().filter { $0.contains(" updated ") }
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasSuffix(" -") })
  }

  @Test func aChangeThatCannotBeReadIsCounted() throws {
    let trial = try Trial()
    try trial.run("UPDATE ACHANGE SET ZENTITY = 999 WHERE Z_PK = 1")
    #expect(try Self.lines(trial.path).summary.unreadableCount == 1)
  }

  @Test func aStoreWithoutHistoryHasNone() throws {
    let trial = try Trial()
    try trial.run("DROP TABLE ACHANGE; DROP TABLE ATRANSACTION; DROP TABLE ATRANSACTIONSTRING")
    let (lines, summary) = try Self.lines(trial.path)
    #expect(lines.isEmpty && !summary.isKept)
  }

  @Test func anEntityThatIsNotThereIsAnError() throws {
    let trial = try Trial()
    #expect {
      try trial.lines(HistoryOptions(entityName: "Tag"))
    } throws: { ($0 as? CofferError)?.code == .noSuchEntity }
  }
}
