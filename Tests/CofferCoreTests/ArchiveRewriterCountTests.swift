internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct ArchiveRewriterCountTests {
  @Test func exportedArchiveKeepsItsBytesWhenAllIsRecomputed() throws {
    let folder = try TemporaryDirectory()
    let store = folder.file("Sample.sqlite")
    try SampleStore.write(to: store)
    let archive = folder.file("Sample.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: store), to: archive)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: archive))
    try ArchiveRewriter(archive).write(to: archive)
    #expect(try Data(contentsOf: URL(fileURLWithPath: archive)) == bytes)
  }
}
