internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferCore
@testable internal import CofferReports

/// A report is the same for a store and its archive, and agrees with another program.
@Suite struct StoreReportTests {
  let samples: SampleSources

  init() throws { samples = try SampleSources() }

  private func generated(_ count: Int, external: Int = 0) throws -> String {
    var options = GeneratorOptions()
    options.objectCount = count
    options.externalCount = external
    let path = samples.directory.file("Generated.sqlite")
    try StoreMaker.write(to: path, options)
    return path
  }

  private func expectSame(_ path: String, _ location: SourceLocation = #_sourceLocation) throws {
    let reporter = StoreReporter()
    let store = try reporter.report(on: path)
    let archive = try reporter.report(on: samples.archive(of: path))
    func same<T: Equatable>(_ key: KeyPath<StoreReport, T>) {
      #expect(store[keyPath: key] == archive[keyPath: key], "\(path)", sourceLocation: location)
    }
    same(\.entities)
    same(\.attributes)
    same(\.history)
    same(\.dates)
    same(\.relationships)
    same(\.versionHashes)
    same(\.externalData.attributes)
    same(\.externalData.sizes)
    #expect(store.findings.problem == nil && archive.findings.problem == nil)
    for entity in store.inspection.entities {
      let found = store.entities.first { $0.name == entity.name }
      #expect(found?.objectCount == entity.objectCount)
    }
  }

  @Test func aStoreAndItsArchiveReportTheSame() throws {
    try expectSame(samples.sample)
    try expectSame(generated(3000, external: 10))
  }

  @Test func storesAndTheirArchivesReportTheSame() throws {
    // Every fifth, for the sake of time.
    for (place, store) in RealStores.any.enumerated() where place % 5 == 0 {
      let directory = try TemporaryDirectory()
      try expectSame(RealStores.copy(store, to: directory))
      withExtendedLifetime(directory) {}
    }
  }

  // MARK: Another program's numbers

  /// Counts the content of the tables of a generated store.
  private static let script = """
    import json, sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    def fanout(sql):
        counts = sorted((n for _, n in db.execute(sql)), reverse=True)
        return [len(counts), sum(counts), counts[0]]
    one = lambda sql: db.execute(sql).fetchone()[0]
    print(json.dumps({
        "todos": fanout("SELECT ZLOCATION, count(*) FROM ZITEMENTITY WHERE ZLOCATION IS NOT NULL GROUP BY 1"),
        "tags": fanout("SELECT Z_9TAGS, count(*) FROM Z_4TAGS GROUP BY 1"),
        "friends": fanout("SELECT a, count(DISTINCT b) FROM (SELECT Z_7FRIENDS a, REFLEXIVE b FROM Z_7FRIENDS"
            " UNION ALL SELECT REFLEXIVE, Z_7FRIENDS FROM Z_7FRIENDS) GROUP BY 1"),
        "text": one("SELECT sum(length(CAST(ZTEXT AS BLOB))) FROM ZITEMENTITY WHERE Z_ENT = "
            "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'NoteEntity')"),
        "years": dict(db.execute("SELECT strftime('%Y', ZCREATEDAT + 978307200, 'unixepoch'), count(*)"
            " FROM ZITEMENTITY WHERE ZCREATEDAT IS NOT NULL GROUP BY 1").fetchall()),
        "changes": dict((str(k), n) for k, n in db.execute("SELECT ZCHANGETYPE, count(*) FROM ACHANGE GROUP BY 1")),
    }))
    """

  private struct Numbers: Decodable {
    var todos: [Int]
    var tags: [Int]
    var friends: [Int]
    var text: Int
    var years: [String: Int]
    var changes: [String: Int]
  }

  @Test(.enabled(if: ProcessRunner.find("python3") != nil))
  func theNumbersAreThoseOfAnotherProgram() throws {
    let path = try generated(4000)
    let report = try StoreReporter().report(on: path)
    let result = try ProcessRunner(try #require(ProcessRunner.find("python3")))
      .run(["-c", Self.script, path])
    try #require(result.status == 0, "\(result.errorOutput)")
    let numbers = try JSONDecoder().decode(Numbers.self, from: Data(result.outputBytes))
    func fanOut(_ entity: Name, _ name: Name) throws -> [Int] {
      let found = try #require(
        report.relationships.first { $0.entityName == entity && $0.relationship.name == name })
      #expect(found.steps.reduce(0) { $0 + $1.ownerCount } == found.ownerCount)
      #expect(found.hubs.first?.count == found.greatest)
      return [found.filledCount, found.destinationCount, found.greatest]
    }
    #expect(try fanOut("LocationEntity", "todos") == numbers.todos)
    #expect(try fanOut("TagEntity", "todos") == numbers.tags)
    #expect(try fanOut("PersonEntity", "friends") == numbers.friends)
    let text = report.attributes.first { $0.entityName == "NoteEntity" && $0.name == "text" }
    #expect(text?.byteCount == numbers.text)
    let created = try #require(report.dates.first { $0.name == "createdAt" })
    #expect(created.histogram.unit == .year)
    for bucket in created.histogram.buckets {
      #expect(bucket.count == numbers.years[bucket.label] ?? 0, "\(bucket.label)")
    }
    let history = try #require(report.history)
    #expect(history.insertions.count == numbers.changes["0"] ?? 0)
    #expect(history.updates.count == numbers.changes["1"] ?? 0)
    #expect(history.deletions.count == numbers.changes["2"] ?? 0)
  }

  // MARK: Other states

  @Test func aStoreWithoutObjectsIsReported() throws {
    let tables = [
      "ZITEMENTITY", "ZATTACHMENTENTITY", "ZLOCATIONENTITY", "ZPERSONENTITY", "ZSETTINGSENTITY",
      "ZTAGENTITY", "ZVISITENTITY", "ACHANGE", "ATRANSACTION",
    ]
    let path = try samples.copy(changing: tables.map { "DELETE FROM \($0)" })
    let report = try StoreReporter().report(on: path)
    #expect(report.inspection.objectCount == 0)
    #expect(report.valueByteCount == 0)
    #expect(report.dates.isEmpty)
    #expect(report.history == nil)
    #expect(report.relationships.allSatisfy { $0.ownerCount == 0 && $0.mean == 0 })
    let page = report.html()
    #expect(page.contains("There are no objects."))
    #expect(!page.contains("From the persistent history"))
    #expect(!page.contains("NaN") && !page.contains(">inf"))
  }

  @Test func findingsAreToldWithTheirExplanations() throws {
    let path = try samples.copy()
    try Damage.danglingToOne.apply(to: path)
    let report = try StoreReporter().report(on: path)
    let group = try #require(report.findings.groups.first)
    #expect(group.code == .danglingRelationship)
    #expect(group.count == 1)
    #expect(report.findings.count(of: .error) == 1)
    let page = report.html()
    #expect(page.contains("<code>dangling-relationship</code>"))
    #expect(page.contains(HTMLText.escaped(group.code.effect.prefix { $0 != "`" } + "")))
    let place = try #require(group.examples.first).place
    #expect(page.contains(place.replacingOccurrences(of: ".", with: ".<wbr>")))
  }

  @Test func countsGoBackFromToday() {
    func histogram(_ counts: [Int]) -> DateHistogram {
      DateHistogram(unit: .day, buckets: counts.map { .init(label: "", count: $0) })
    }
    var history = HistoryGrowth(
      transactions: histogram([1, 1, 1]), insertions: histogram([5, 0, 3]),
      updates: histogram([0, 9, 0]), deletions: histogram([0, 2, 1]), entities: [],
      outsideCount: 0)
    #expect(history.objectCounts(now: 10) == [10, 8, 10])
    history.insertions = histogram([50, 0, 3])
    #expect(history.objectCounts(now: 10) == nil)
  }
}
