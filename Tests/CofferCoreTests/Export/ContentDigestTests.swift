internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable import CofferComparison
@testable import CofferCore

/// The digest of the content of a store, however it is packed.
@Suite struct ContentDigestTests {
  @Test func itDependsOnNeitherLevelNorContainer() throws {
    let sample = try SampleCopy()
    let (store, folder) = (try PersistentStore(readingFrom: sample.path), sample.folder)
    let digest = try StoreExporter().contentDigest(of: store)
    let stored = folder.file("Stored.coffer.tar.gz")
    let piped = folder.file("Piped.coffer.tar.gz")
    let repacked = folder.file("Repacked.tar.gz")
    try StoreExporter(options: ExportOptions(level: 0, threads: 0)).export(store, to: stored)
    try Data().write(to: URL(fileURLWithPath: piped))
    let pipe = try FileHandle(forWritingTo: URL(fileURLWithPath: piped))
    try StoreExporter().export(store, to: .fileDescriptor(pipe.fileDescriptor))
    try ArchiveRewriter(stored).write(to: repacked, packing: .stockTar)
    for path in [stored, piped, repacked] {
      #expect(try StoreInspector().inspect(path).archive?.contentDigest == digest)
      #expect(try Verification(of: path).summary.contentDigest == digest)
    }
    #expect(try Verification(of: sample.path).summary.contentDigest == nil)
  }

  /// One byte after another, in every entry, with the digest of the entry brought up to date.
  @Test func everyByteOfContentCountsAndNoByteOfADocument() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Made.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 60
    try StoreMaker.write(to: path, options)
    let archive = folder.file("Made.coffer.tar.gz")
    let exported = try StoreExporter().export(PersistentStore(readingFrom: path), to: archive)
    let whole = try ArchiveRewriter(archive)
    #expect(exported.contentDigest == whole.digests.content.hex)
    var seen: Set<ArchiveDigest> = [whole.digests.content]
    let documents = ["manifest.json", "model.json", "store/schema.json", "store/layout.json"]
    var random = SeededGenerator(seed: 5)
    for (number, entry) in whole.entries.enumerated() where !entry.bytes.isEmpty {
      for offset in (0..<6).map({ _ in random.below(entry.bytes.count) }) {
        var (records, bytes) = (whole.records, entry.bytes)
        bytes[offset] ^= 1 << UInt8(random.below(8))
        records[number].digest = ArchiveRewriter.digest(of: bytes)
        let digests = IndexDigests(of: records)
        #expect(digests.root != whole.digests.root)
        if documents.contains(entry.name) {
          #expect(digests.content == whole.digests.content, "\(entry.name)")
        } else {
          seen.insert(digests.content)
          #expect(digests.content != whole.digests.content, "\(entry.name), byte \(offset)")
        }
      }
    }
    #expect(seen.count > whole.entries.count)
  }

  @Test func aWrongClaimIsRefused() throws {
    let sample = try ExportedSample()
    var archive = try ArchiveRewriter(sample.archive)
    archive.digests.content = archive.digests.root
    let claimed = sample.folder.file("Claimed.coffer.tar.gz")
    try archive.write(to: claimed, recomputing: .none)
    let copy = sample.folder.file("Copy.sqlite")
    #expect(errorCode { try StoreImporter().import(claimed, to: copy) } == "damaged-archive")
    #expect(errorCode { _ = try StoreInspector().inspect(claimed) } == "damaged-archive")
    #expect(
      errorCode { try StoreComparison().compare(claimed, sample.archive) } == "damaged-archive")
    let verified = try Verification(of: claimed)
    #expect(verified.findings.map(\.code) == [.archiveContentDigestMismatch])
    #expect(verified.summary.contentDigest == nil)
    // A right claim about entries that are not these is found when they are read.
    var other = try ArchiveRewriter(sample.archive)
    try other.changeText(of: "entities/TagEntity/00000.ndjson") {
      $0.replace("\"home\"", with: "\"Home\"")
    }
    try other.write(to: claimed, recomputing: [.sizes, .places])
    #expect(errorCode { try StoreImporter().import(claimed, to: copy) } == "damaged-archive")
  }

  @Test func equalDigestsEndAComparisonAtOnce() throws {
    let sample = try ExportedSample()
    var archive = try ArchiveRewriter(sample.archive)
    // The parts that are compared first, without digests that decide.
    try archive.changeText(of: "store/Z_METADATA/00000.ndjson") { $0 = "{}" + $0.dropFirst(2) }
    let broken = sample.folder.file("Broken.coffer.tar.gz")
    try archive.write(to: broken, recomputing: [.sizes, .places])
    let summary = try StoreComparison().compare(sample.archive, broken)
    #expect(summary.isEqual)
    #expect(summary.firstObjectCount == 37 && summary.secondObjectCount == 37)
    #expect(summary.firstContentDigest == summary.secondContentDigest)
    #expect(errorCode { try StoreComparison().compare(sample.store, broken) } == "damaged-archive")
  }

  @Test func equalContentUnderAnotherSchemaIsCompared() throws {
    let sample = try ExportedSample()
    var archive = try ArchiveRewriter(sample.archive)
    try archive.changeText(of: "store/schema.json") {
      $0.replace("\"userVersion\": 0", with: "\"userVersion\": 7")
    }
    let other = sample.folder.file("Other.coffer.tar.gz")
    try archive.write(to: other)
    let summary = try StoreComparison().compare(sample.archive, other)
    #expect(summary.firstContentDigest == summary.secondContentDigest)
    #expect(summary.store.changed == 1)
  }
}
