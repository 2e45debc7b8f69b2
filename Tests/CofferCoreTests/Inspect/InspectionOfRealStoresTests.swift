internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Real stores: the counts equal the counts of another program, and of an archive.
@Suite struct InspectionOfRealStoresTests {
  /// Counts rows by the number of their entity, and the rows of all tables.
  private static let script = """
    import json, sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    db.text_factory = bytes
    objects, rows = {}, {}
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        name = name.decode()
        quoted = '"' + name.replace('"', '""') + '"'
        try:
            rows[name] = db.execute("SELECT count(*) FROM " + quoted).fetchone()[0]
        except sqlite3.OperationalError:
            continue
        columns = [c[1] for c in db.execute("PRAGMA table_info(" + quoted + ")")]
        if b"Z_ENT" in columns and b"Z_OPT" in columns and name.startswith("Z"):
            for number, count in db.execute("SELECT Z_ENT, count(*) FROM " + quoted + " GROUP BY 1"):
                objects[str(number)] = objects.get(str(number), 0) + count
    print(json.dumps({"objects": objects, "rows": rows}))
    """

  private struct Counts: Decodable {
    var objects: [String: Int]
    var rows: [String: Int]
  }

  @Test(
    .enabled(if: ProcessRunner.find("python3") != nil, "needs python3"), arguments: RealStores.any)
  func countsAreTheOnesOfAnotherProgram(_ store: RealStore) throws {
    let samples = try SampleSources()
    // A folder of its own, as the store may be named as a sample is.
    let folder = try TemporaryDirectory()
    let copy = try RealStores.copy(store, to: folder)
    let inspector = StoreInspector()
    let found = try inspector.inspect(copy)
    let archived = try inspector.inspect(samples.archive(of: copy))

    // The other program may write next to the store that it reads.
    let other = try samples.copy(of: copy, named: "Other")
    let result = try ProcessRunner(try #require(ProcessRunner.find("python3")))
      .run(["-c", Self.script, other])
    let counts = try JSONDecoder().decode(Counts.self, from: Data(result.outputBytes))
    for entity in found.entities where !entity.name.isEmpty {
      guard let number = entity.number else {
        #expect(entity.objectCount == 0)
        continue
      }
      #expect(entity.objectCount == counts.objects["\(number)"] ?? 0, "\(entity.name)")
    }
    #expect(found.history?.changeCount ?? 0 == counts.rows["ACHANGE"] ?? 0)
    #expect(found.history?.transactionCount ?? 0 == counts.rows["ATRANSACTION"] ?? 0)
    for table in found.cloudKit + found.unknownTables {
      #expect(table.rowCount == counts.rows[table.name], "\(table.name)")
    }
    expectSame(found, archived)
  }

  private func expectSame(_ store: Inspection, _ archive: Inspection) {
    #expect(archive.storeUUID == store.storeUUID)
    #expect(archive.frameworkVersion == store.frameworkVersion)
    #expect(archive.frameworkEra == store.frameworkEra)
    #expect(archive.wasMigratedInPlace == store.wasMigratedInPlace)
    #expect(archive.model == store.model)
    #expect(archive.model.source == store.model.source)
    #expect(archive.metadata == store.metadata)
    #expect(archive.metadataProblem == store.metadataProblem)
    #expect(archive.settings == store.settings)
    #expect(archive.entities == store.entities)
    #expect(archive.relationships == store.relationships)
    #expect(archive.history == store.history)
    #expect(archive.cloudKit == store.cloudKit)
    #expect(archive.externalData.fileCount == store.externalData.fileCount)
    #expect(archive.externalData.byteCount == store.externalData.byteCount)
    #expect(archive.unknownTables == store.unknownTables)
    #expect(archive.unknownColumns == store.unknownColumns)
  }
}
