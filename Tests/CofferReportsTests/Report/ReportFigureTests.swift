internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferCore
@testable internal import CofferReports

/// The figures of a report equal SQLite's counts in the tables.
@Suite struct ReportFigureTests {
  let samples: SampleSources

  init() throws { samples = try SampleSources() }

  // MARK: By hand

  @Test func missingFilesAreToldWhereThereAreNoFiles() throws {
    let path = try samples.copy()
    try Damage.missingExternalFolder.apply(to: path)
    let report = try StoreReporter().report(on: path)
    #expect(report.externalData.fileCount == 0 && report.externalData.missingCount > 0)
    let missing = QuantityText.count(report.externalData.missingCount)
    #expect(report.html().contains("<dd>no files, \(missing) missing</dd>"))
    let whole = try StoreReporter().report(on: samples.sample).html()
    #expect(!whole.contains("missing</dd>"))
  }

  @Test func freePagesAndTheLogAreReported() throws {
    let path = try samples.copy(changing: [
      "CREATE TABLE FILLER (x)", "INSERT INTO FILLER VALUES (zeroblob(400000))",
      "DROP TABLE FILLER",
    ])
    let report = try StoreReporter().report(on: path)
    let pages = try Int(#require(sqlite(path, "PRAGMA freelist_count").first)) ?? 0
    #expect(pages > 90)
    #expect(report.inspection.freeByteCount == pages * 4096)
    #expect(report.html().contains(QuantityText.bytes(pages * 4096)))
    let live = samples.directory.file("Live.sqlite")
    try OpenStores.copyWithLog(
      of: samples.copy(named: "Origin"), to: live,
      changedBy: "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
    let size = try FileManager.default.attributesOfItem(atPath: live + "-wal")[.size] as? Int
    #expect(try StoreInspector().inspect(live).logByteCount == size)
  }

  @Test func equalIdentifiersAreToldUnlessTheyAreAnotherKindOfAttribute() throws {
    let path = try samples.copy(changing: [
      "UPDATE ZATTACHMENTENTITY SET ZUUID = (SELECT ZUUID FROM ZATTACHMENTENTITY ORDER BY Z_PK LIMIT 1)"
        + " WHERE Z_PK IN (SELECT Z_PK FROM ZATTACHMENTENTITY ORDER BY Z_PK LIMIT 2)"
    ])
    #expect(try StoreReporter().report(on: samples.sample).repeatedKeys == [])
    let report = try StoreReporter().report(on: path)
    let key = try #require(report.repeatedKeys.first)
    #expect(report.repeatedKeys.count == 1)
    #expect(key.entityName == "AttachmentEntity" && key.name == "uuid")
    #expect(key.valueCount == 1 && key.objectCount == 2)
    #expect(key.example.count == 2)
    #expect(report.html().contains("2 objects with equal "))
  }

  @Test(
    arguments: [
      ("id", AttributeType.string, "Trip", true), ("tripID", .integer64, "Trip", true),
      ("trip_uuid", .uuid, "TripEntity", true), ("identifier", .uri, "X", true),
      ("tripID", .string, "Leg", false), ("id", .boolean, "Trip", false),
      ("name", .string, "Trip", false), ("uuid", .binary, "Trip", false),
    ])
  func likelyKeysAreCalledLikeOne(
    _ name: Name, _ type: AttributeType, _ entity: Name, _ isLikely: Bool
  ) {
    #expect(LikelyKey.isLikely(name, type, of: entity) == isLikely)
  }

  // MARK: By SQLite

  private func sqlite(_ path: String, _ script: String) throws -> [String] {
    let program = try #require(ProcessRunner.find("sqlite3"))
    let result = try ProcessRunner(program).run(
      ["-batch", "-noheader", path], input: Array(script.utf8))
    try #require(result.status == 0, "\(result.errorOutput)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: ProcessRunner.find("sqlite3") != nil))
  func figuresAreThoseThatSQLiteCounts() throws {
    // Every fourth, for the sake of time, and the largest model.
    for (place, store) in RealStores.any.enumerated()
    where place % 4 == 1 || store.name.contains("13.0.1") {
      let directory = try TemporaryDirectory()
      let path = try RealStores.copy(store, to: directory)
      try expectCounts(path, store.name)
      withExtendedLifetime(directory) {}
    }
    try expectCounts(samples.sample, "Sample")
    var options = GeneratorOptions()
    options.objectCount = 900
    let generated = samples.directory.file("Generated.sqlite")
    try StoreMaker.write(to: generated, options)
    try expectCounts(generated, "Generated")
  }

  private func expectCounts(_ path: String, _ name: String) throws {
    let report = try StoreReporter().report(on: path)
    try #require(report.findings.problem == nil, "\(name)")
    let store = try PersistentStore(readingFrom: path)
    let queries = FigureQueries(store, report.inspection)
    var counts: [String: Int] = [:]
    for line in try sqlite(path, queries.script) {
      let parts = line.split(separator: "|", omittingEmptySubsequences: false)
      counts[String(parts[0]), default: 0] += Int(parts[1]) ?? 0
    }
    for attribute in report.attributes {
      let place = "\(attribute.entityName).\(attribute.name)"
      #expect(attribute.valueCount == counts["value \(place)"], "\(name): \(place)")
    }
    let unset = Set(
      counts.filter { $0.key.hasPrefix("value ") && $0.value == 0 }.keys.map { $0.dropFirst(6) })
    for attribute in report.unsetAttributes ?? [] {
      #expect(unset.contains("\(attribute.entityName).\(attribute.name)"), "\(name)")
    }
    let changes = report.lastTransaction.map { last in
      last.entities.reduce(0) { $0 + $1.count }
    }
    #expect(changes ?? 0 == counts["last"] ?? 0, "\(name)")
  }
}

/// The statements that count what a report counts, from the names of tables and columns.
private struct FigureQueries {
  private(set) var script = ""
  private let model: ManagedObjectModel
  private let numbers: [Name: Int64]
  private let shapes: [TableLayout]

  init(_ store: PersistentStore, _ inspection: Inspection) {
    model = store.model
    shapes = StoreTables(store).sources.map(\.shape)
    numbers = Dictionary(
      inspection.entities.compactMap { entity in entity.number.map { (entity.name, $0) } }
    ) { first, _ in first }
    for shape in shapes {
      if shape.kind == .entity { count(shape) }
    }
    if shapes.contains(where: { $0.storedName == "ACHANGE" }) {
      script +=
        "SELECT 'last', count(*) FROM ACHANGE WHERE ZTRANSACTIONID = "
        + "(SELECT max(Z_PK) FROM ATRANSACTION);\n"
    }
  }

  private func tree(_ entity: Name) -> String {
    model.tree(of: entity).compactMap { numbers[$0.name].map(String.init) }.joined(separator: ",")
  }

  private mutating func count(_ shape: TableLayout) {
    for field in shape.fields {
      guard case .attribute(let path, _, _, let entity) = field.role else { continue }
      script +=
        "SELECT 'value \(entity).\(path.joined(separator: "."))', count(\(field.storedName)) "
        + "FROM \(shape.storedName) WHERE Z_ENT IN (\(tree(entity)));\n"
    }
  }
}
