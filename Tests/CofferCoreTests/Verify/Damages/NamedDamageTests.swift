internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Exactly the named damages are found, with any number of threads: in the store, and in an archive of it.
@Suite struct NamedDamageTests {
  @Test(arguments: ExpectedFindings.all) func theDamageIsFound(_ expected: ExpectedFindings) throws
  {
    let damage = try #require(Damage.named(expected.damage))
    let sample = try SampleCopy()
    try damage.apply(to: sample.path)
    let store = try Verification(of: sample.path).texts
    #expect(store == expected.store, "\(damage.summary)")
    let another = try Verification(of: sample.path, options: .threads(1)).texts
    #expect(another == expected.store, "with another thread: \(damage.summary)")
    guard let texts = expected.archive else {
      #expect(throws: CofferError.self) { try Verification.ofArchive(of: sample.path) }
      return
    }
    let archive = try Verification.ofArchive(of: sample.path).texts
    #expect(archive == texts, "in an archive: \(damage.summary)")
  }
}
