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
    same(\.lastTransaction)
    same(\.latestDate)
    same(\.versionHashes)
    same(\.externalData.attributes)
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
    one = lambda sql: db.execute(sql).fetchone()[0]
    print(json.dumps({
        "text": one("SELECT sum(length(CAST(ZTEXT AS BLOB))) FROM ZITEMENTITY WHERE Z_ENT = "
            "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'NoteEntity')"),
        "changed": one("SELECT date(max(t) + 978307200, 'unixepoch') FROM (%s)" % " UNION ALL ".join(
            f"SELECT max({c[1]}) t FROM {t}" for t, in db.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'Z%ENTITY'").fetchall()
            for c in db.execute(f"PRAGMA table_info({t})").fetchall() if c[2] == "TIMESTAMP"
            and any(w in c[1] for w in ["MODIF", "UPDAT", "CHANG", "EDIT", "CREAT", "ADDED"]))),
        "changes": dict((str(k), n) for k, n in db.execute("SELECT ZCHANGETYPE, count(*) FROM ACHANGE"
            " WHERE ZTRANSACTIONID = (SELECT max(Z_PK) FROM ATRANSACTION) GROUP BY 1")),
    }))
    """

  private struct Numbers: Decodable {
    var text: Int
    var changed: String
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
    let text = report.attributes.first { $0.entityName == "NoteEntity" && $0.name == "text" }
    #expect(text?.byteCount == numbers.text)
    #expect(report.latestDate?.day == numbers.changed)
    let changes = try #require(report.lastTransaction).entities
    #expect(changes.reduce(0) { $0 + $1.insertionCount } == numbers.changes["0"] ?? 0)
    #expect(changes.reduce(0) { $0 + $1.updateCount } == numbers.changes["1"] ?? 0)
    #expect(changes.reduce(0) { $0 + $1.deletionCount } == numbers.changes["2"] ?? 0)
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
    #expect(report.latestDate == nil)
    #expect(report.lastTransaction == nil)
    let page = report.html()
    #expect(page.contains("There are no objects."))
    #expect(page.contains("not recorded"))
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
}
