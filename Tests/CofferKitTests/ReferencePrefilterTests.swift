internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferKit

/// References that are watched while rows pass are told to be sound only where SQL finds no defect.
@Suite struct ReferencePrefilterTests {
  private static let count =
    ProcessInfo.processInfo.environment["COFFER_DAMAGES"].flatMap(Int.init) ?? 60

  /// What an import finds in a store's references, and what SQL finds in the restored store without
  /// any help.
  private func findings(_ path: String) throws -> (imported: [String], bySQL: [String]) {
    let trip = try RoundTrip(of: path)
    let store = try PersistentStore(readingFrom: trip.copy)
    let documents = try OpenArchive(path: trip.archive, access: ArchiveAccess()).documents
    var found: [Finding] = []
    try store.use { database in
      try ReferenceFindings(documents).check(database, step: {}, report: { found.append($0) })
    }
    let codes = Set(
      [
        FindingCode.danglingRelationship, .wrongDestination, .wrongDestinationEntity,
        .inverseMissing, .inverseMismatch, .danglingPair, .danglingReflexivePair,
      ].map(\.text))
    let imported = trip.imported.findings.filter { codes.contains($0.code.text) }
    return (imported.map(\.description), found.map(\.description))
  }

  @Test func everyKindOfDamageIsFoundAsBySQL() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Large.sqlite")
    var options = GeneratorOptions()
    (options.objectCount, options.journal) = (400, .delete)
    try StoreMaker.write(to: path, options)
    #expect(try findings(path).bySQL == [])
    var withFindings = 0
    for seed in 0..<UInt64(Self.count) {
      let folder = try TemporaryDirectory()
      let copy = try StoreFiles(path).copy(to: folder.file("Copy.sqlite"))
      var workshop = try DamageWorkshop(copy, seed: seed)
      for kind in RandomDamage.all.shuffled(using: &workshop.random).prefix(3) {
        _ = try kind.apply(&workshop)
      }
      do {
        let (imported, bySQL) = try findings(copy)
        #expect(imported == bySQL, "seed \(seed)")
        if !bySQL.isEmpty { withFindings += 1 }
      } catch let error as CofferError {
        // Some damages leave nothing that can be imported.
        #expect(!error.code.text.isEmpty)
      }
    }
    #expect(withFindings > Self.count / 10, "the damages are too harmless")
  }

  /// Keys at the ends of words, of pages and of what a set can hold, and references just beside them.
  @Test func keysAtBoundariesAreFoundAsBySQL() throws {
    let edges: [Int64] = [
      8, 63, 64, 65, 127, 128, 32_767, 32_768, 32_769, 65_535, 65_536, 1 << 31 - 1, 1 << 31,
      1 << 31 + 1, 1 << 40, .max, -1, .min,
    ]
    for edge in edges {
      let sample = try SampleCopy()
      try sample.change(
        """
        INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT ?, Z_ENT, 1, 'edge'
        FROM ZTAGENTITY WHERE Z_PK = 2
        """, [.integer(edge)])
      for offset in [Int64(0), 1, -1] {
        let (key, isWide) = edge.addingReportingOverflow(offset)
        if isWide { continue }
        let isThere = try !SampleCopy.rows(
          sample.path, "SELECT 1 FROM ZTAGENTITY WHERE Z_PK = \(key)"
        ).isEmpty
        try sample.change(
          """
          DELETE FROM Z_4TAGS;
          INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) SELECT min(Z_PK), \(key) FROM ZITEMENTITY
          WHERE Z_ENT = 4
          """)
        let (imported, bySQL) = try findings(sample.path)
        #expect(imported == bySQL, "key \(key)")
        #expect(bySQL.isEmpty == isThere, "key \(key): \(bySQL)")
      }
    }
  }
}
