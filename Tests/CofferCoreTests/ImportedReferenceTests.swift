internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// An import reports the same defects of references as a verification of the restored store.
@Suite struct ImportedReferenceTests {
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
}
