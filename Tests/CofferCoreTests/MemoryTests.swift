internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Export and import need little memory, however large the store.
///
/// The program runs in a separate process, whose peak memory the system reports; skipped if
/// it has not been built, or if there is no Python.
@Suite struct MemoryTests {
  @Test(
    .enabled(if: ProgramMemory.isPossible, "needs the program and python3"), .timeLimit(.minutes(5))
  )
  func aLargeStoreNeedsLittleMemory() throws {
    let folder = try TemporaryDirectory()
    var options = GeneratorOptions()
    options.objectCount = 100_000
    try StoreMaker.write(to: folder.file("Large.sqlite"), options)
    let archive = folder.file("Large.coffer.tar.gz")
    let store = folder.file("Large.sqlite")
    let exporting = try ProgramMemory.peak(["export", store, archive, "--threads", "1"])
    let four = try ProgramMemory.peak(["export", store, archive, "--threads", "4", "--force"])
    let plain = try ProgramMemory.peak(
      ["export", store, folder.file("Plain.coffer.tar.gz"), "--threads", "4", "--level", "0"])
    // The second one has the changes since the first.
    let backups = try (0..<2).map { _ in
      try ProgramMemory.peak(["backup", store, "--vault", folder.file("Vault")])
    }
    let importing = try ProgramMemory.peak(["import", archive, folder.file("Copy.sqlite")])
    let verifying = try ProgramMemory.peak(["verify", archive])
    #expect(max(exporting, importing, verifying) < 64 << 20)
    #expect(
      max(four, plain, backups[0], backups[1]) - exporting < 3 * 8 << 20,
      "each thread takes at most 8 MiB")
    print(
      "memory of 100,000 objects in MiB: export \(exporting >> 20), with four threads \(four >> 20), "
        + "uncompressed \(plain >> 20), backups \(backups.map { $0 >> 20 }), import \(importing >> 20), verify \(verifying >> 20)"
    )
    #expect(
      try StoreComparer.differences(folder.file("Large.sqlite"), folder.file("Copy.sqlite")) == [])
  }

  /// The decoder of the lines computes their digests, and this test decodes none.
  @Test(
    .enabled(if: ProgramMemory.isPossible, "needs the program and python3"), .timeLimit(.minutes(5))
  )
  func blobsWithoutLinesAreNotKept() throws {
    let sample = try SampleCopy()
    let archive = sample.folder.file("Store.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: sample.path), to: archive)
    var rewriter = try ArchiveRewriter(archive)
    let zeros = [UInt8](repeating: 0, count: 4 << 20)
    for number in 100..<125 {
      try rewriter.insert(
        .init("entities/TagEntity/00\(number).blobs", zeros), at: rewriter.entries.count)
    }
    try rewriter.write(to: archive)
    #expect(try ProgramMemory.peak(["verify", archive]) < 80 << 20)
  }
}
