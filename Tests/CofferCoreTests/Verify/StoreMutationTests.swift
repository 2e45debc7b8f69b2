internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Whatever bytes of a store are changed, every command ends with a result, findings or an error.
@Suite struct StoreMutationTests {
  private static let count = Effort.tries(50)
  /// What a page is overwritten with.
  private static let patterns: [@Sendable (SeededGenerator) -> [UInt8]] = [
    { _ in [UInt8](repeating: 0, count: 4096) },
    { _ in [UInt8](repeating: 0xFF, count: 4096) },
    { random in
      var random = random
      return (0..<4096).map { _ in UInt8(random.below(256)) }
    },
    // An empty leaf, and an inner page, with the numbers of cells and children left to chance.
    { random in
      var random = random
      return [13, 0, 0, 0xFF, 0xFF] + (0..<4091).map { _ in UInt8(random.below(256)) }
    },
    { random in
      var random = random
      return [5, 0, 0, 0, 9] + (0..<4091).map { _ in UInt8(random.below(4)) }
    },
  ]

  @Test func changedBytesNeverCrash() throws {
    let sample = try SampleCopy(journal: .delete)
    let original = try Data(contentsOf: URL(fileURLWithPath: sample.path))
    var found = 0
    for seed in 0..<UInt64(Self.count) {
      var random = SeededGenerator(seed: seed)
      var bytes = original
      for _ in 0...random.below(8) {
        // Behind the header, where nearly every change would only make it no database.
        let place = 100 + random.below(bytes.count - 100)
        bytes[place] = random.chance(0.5) ? UInt8(random.below(256)) : bytes[place] ^ 1
      }
      found += try isNoticed(bytes, "seed \(seed)", alsoReading: seed % 5 == 0) ? 1 : 0
    }
    // Pages have free space, and a changed letter of a title is nothing that can be found.
    #expect(found > Self.count / 8)
  }

  @Test func overwrittenPagesNeverCrash() throws {
    let sample = try SampleCopy(journal: .delete)
    let original = try Data(contentsOf: URL(fileURLWithPath: sample.path))
    var found = 0
    var tried = 0
    for page in 0..<original.count / 4096 {
      // A pattern for each page in turn; all of them where many changes are asked for.
      for (number, pattern) in Self.patterns.enumerated()
      where Self.count > 1000 || page % Self.patterns.count == number {
        var bytes = original
        // The header stays: without it, the file is not a database.
        let start = page == 0 ? 100 : page * 4096
        let content = pattern(SeededGenerator(seed: UInt64(page)))
        bytes.replaceSubrange(start..<(page + 1) * 4096, with: content[(start % 4096)...])
        tried += 1
        found +=
          try isNoticed(bytes, "page \(page + 1), pattern \(number)", alsoReading: true) ? 1 : 0
      }
    }
    // Pages that are free may hold anything.
    #expect(found > tried / 2)
  }

  /// Whether a verification finds something in a store of those bytes, or ends with an error.
  private func isNoticed(_ bytes: Data, _ name: String, alsoReading: Bool) throws -> Bool {
    let folder = try TemporaryDirectory()
    let path = folder.file("Changed.sqlite")
    try bytes.write(to: URL(fileURLWithPath: path))
    if alsoReading {
      ends(name) {
        let archive = folder.file("Changed.coffer.tar.gz")
        try StoreExporter().export(try PersistentStore(readingFrom: path), to: archive)
      }
      ends(name) { _ = try StoreInspector().inspect(path) }
      ends(name) { _ = try differences(path, path) }
    }
    let outcome = try VerificationOutcome(of: path, threads: 1)
    #expect(try outcome == VerificationOutcome(of: path, threads: 0), "\(name)")
    return outcome.isNoticed
  }

  /// Runs something that ends well or with an error of ours.
  private func ends(_ name: String, _ body: () throws -> Void) {
    do {
      try body()
    } catch is CofferError {
      return
    } catch {
      Issue.record("\(name): \(error)")
    }
  }
}
