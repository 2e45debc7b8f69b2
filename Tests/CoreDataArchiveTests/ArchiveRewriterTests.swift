internal import CoreDataArchive
internal import CoreDataModel
internal import TestSupport
internal import Testing

@Suite struct ArchiveRewriterTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder("a.tar.gz")
  }

  @Test func unchangedArchiveKeepsItsBytes() throws {
    var random = Seeded(state: 41)
    let sizes = [0, 1, 512, 1 << 20, (1 << 20) + 1, 3 << 20]
    try writeArchive(
      smallEntries + sizes.map { TestEntry("external/\($0)é", random.text($0)) }, to: path)
    let bytes = try contents(of: path)
    try ArchiveRewriter(path).write(to: folder("b"), recomputing: .none)
    #expect(try contents(of: folder("b")) == bytes)
    try ArchiveRewriter(path).write(
      to: path, recomputing: [.digests, .sizes, .places, .rootDigest])
    #expect(try contents(of: path) == bytes)
  }

  @Test func changesAreWrittenWithEverythingRecomputed() throws {
    try writeArchive(smallEntries, to: path)
    var archive = try ArchiveRewriter(path)
    let name = "entities/Person/00000.ndjson"
    try archive.changeLines(of: name) { lines in
      lines += ["{\"$pk\":7,\"$entity\":\"Child\"}", "{\"$pk\":-3,\"$entity\":9}"]
    }
    try archive.insert(.init("store/Z_METADATA/00000.ndjson", text: "{}\n{}\n"), at: 1)
    try archive.remove("external/empty")
    try archive.write(to: path)
    let read = try readArchive(path)
    #expect(
      read.entries.map(\.name) == ["manifest.json", "store/Z_METADATA/00000.ndjson", name])
    #expect(read.index?["store/Z_METADATA/00000.ndjson"]?.attributes.rows == 2)
    let expected = ArchiveEntryAttributes(
      objects: [("Person", 1), ("Child", 1), ("", 1)], firstKey: -3, lastKey: 7)
    #expect(read.index?[name]?.attributes == expected)
    #expect(randomAccessError(path) == nil)
  }

  @Test func stockTarIsRead() throws {
    try writeArchive(smallEntries, to: path)
    let index = try readArchive(path).index
    try ArchiveRewriter(path).write(to: path, recomputing: .none, packing: .stockTar)
    let read = try readArchive(path)
    #expect(read.isRepacked)
    #expect(read.entries == smallEntries)
    #expect(read.index == index)
    try shell("tar tzf a.tar.gz && gzip -t a.tar.gz", in: folder)
  }

  @Test func namesThatAreNotThereAreRefused() throws {
    try writeArchive(smallEntries, to: path)
    var archive = try ArchiveRewriter(path)
    #expect(throws: ArchiveRewriter.Failure.self) { try archive.changeText(of: "a") { $0 = "" } }
    #expect(throws: ArchiveRewriter.Failure.self) { try archive.changeRecord(of: "a") { _ in } }
  }
}
