internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// References that are watched while rows pass are reported as sound only if a verification finds no
/// defect.
@Suite struct ReferencePrefilterTests {
  private static let count = Effort.tries(30)

  /// The findings of an import in a store's references, and of a verification of the restored store.
  private func findings(_ path: String) throws -> (imported: [Finding], verified: [Finding]) {
    let trip = try RoundTrip(of: path)
    return (trip.referenceFindings, try trip.verifiedReferences())
  }

  @Test func everyKindOfDamageIsFoundAsByAVerification() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Large.sqlite")
    var options = GeneratorOptions()
    (options.objectCount, options.journal) = (400, .delete)
    try StoreMaker.write(to: path, options)
    #expect(try findings(path).verified == [])
    var withFindings = 0
    for seed in 0..<UInt64(Self.count) {
      let folder = try TemporaryDirectory()
      let copy = try StoreFiles(path).copy(to: folder.file("Copy.sqlite"))
      var workshop = try DamageWorkshop(copy, seed: seed)
      for kind in RandomDamage.all.shuffled(using: &workshop.random).prefix(3) {
        _ = try kind.apply(&workshop)
      }
      do {
        let (imported, verified) = try findings(copy)
        #expect(imported == verified, "seed \(seed)")
        if !verified.isEmpty { withFindings += 1 }
      } catch let error as CofferError {
        // Some damages leave nothing that can be imported.
        #expect(!error.code.text.isEmpty)
      }
    }
    #expect(withFindings > Self.count / 10, "the damages are too harmless")
  }

  /// Keys at the ends of words, of pages and of the range of a set, and references next to them.
  @Test func keysAtBoundariesAreFoundAsByAVerification() throws {
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
        let (imported, verified) = try findings(sample.path)
        #expect(imported == verified, "key \(key)")
        #expect(verified.isEmpty == isThere, "key \(key): \(verified)")
      }
    }
  }
}
