internal import CofferKit
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Defects of an archive itself are found, from a file and through a pipe, and reading continues to the
/// end.
@Suite struct ArchiveDamageTests {
  @Test(arguments: ArchiveDamage.all) func theDamageIsFound(_ damage: ArchiveDamage) throws {
    let sample = try SampleCopy()
    let path = sample.folder.file("Store.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: sample.path), to: path)
    var archive = try ArchiveRewriter(path)
    try damage.change(&archive)
    try archive.write(to: path, recomputing: damage.recomputed)
    let verification = try Verification(of: path)
    #expect(verification.texts == damage.findings)
    let alone = try Verification(of: path, options: .threads(0))
    #expect(alone.findings == verification.findings)
    #expect(verification.summary.objectCount >= 36)
  }
}
