internal import CofferKit
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Whatever the entries of an archive say, a verification ends with findings or an error.
///
/// The container is always valid, so that the damage reaches the checks.
@Suite struct ArchiveMutationTests {
  private static let count = Effort.tries(75)

  @Test func changedEntriesNeverCrash() throws {
    let sample = try SampleCopy()
    let path = sample.folder.file("Store.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: sample.path), to: path)
    let original = try ArchiveRewriter(path)
    let target = sample.folder.file("Changed.coffer.tar.gz")
    var found = 0
    for seed in 0..<UInt64(Self.count) {
      var random = SeededGenerator(seed: seed)
      var archive = original
      for _ in 0...random.below(3) {
        let entry = random.below(archive.entries.count)
        Self.change(&archive.entries[entry].bytes, &random)
      }
      try archive.write(to: target)
      let outcome = try VerificationOutcome(of: target, threads: 1 + Int(seed % 3))
      #expect(try outcome == VerificationOutcome(of: target, threads: 0), "seed \(seed)")
      found += outcome.isNoticed ? 1 : 0
      try FileManager.default.removeItem(atPath: target)
    }
    // A changed letter of a title is nothing that can be found.
    #expect(found > Self.count / 4)
  }

  /// Changes bytes, doubles or removes a piece, or puts a strange number in the place of one.
  private static func change(
    _ bytes: inout ContiguousArray<UInt8>, _ random: inout SeededGenerator
  ) {
    guard !bytes.isEmpty else { return }
    let start = random.below(bytes.count)
    let end = min(bytes.count, start + 1 + random.below(12))
    switch random.below(5) {
    case 0: bytes[start] = UInt8(random.below(256))
    case 1: bytes.removeSubrange(start..<end)
    case 2: bytes.insert(contentsOf: Array(bytes[start..<end]), at: start)
    case 3:
      let numbers = [
        "-1", "0", "9223372036854775807", "-9223372036854775808", "1e308", "null", "{}", "[]",
        "\"\"", "65536", "4294967296",
      ]
      guard let digit = bytes[start...].firstIndex(where: { (0x30...0x39).contains($0) }) else {
        return
      }
      let rest = bytes[digit...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
      bytes.replaceSubrange(digit..<rest, with: numbers[random.below(numbers.count)].utf8)
    default:
      guard let quote = bytes[start...].firstIndex(of: 0x22),
        let other = bytes[(quote + 1)...].firstIndex(of: 0x22)
      else { return }
      bytes.replaceSubrange(quote..<other, with: "\"x".utf8)
    }
  }
}
