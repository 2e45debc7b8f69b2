internal import CofferKit
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Whatever bytes of a store are changed, a verification ends with findings or an error.
///
/// More changes are made where `COFFER_MUTATIONS` says how many.
@Suite struct StoreMutationTests {
  private static let count =
    ProcessInfo.processInfo.environment["COFFER_MUTATIONS"].flatMap(Int.init) ?? 100

  @Test func changedBytesNeverCrash() throws {
    let sample = try SampleCopy(journal: .delete)
    let original = try Data(contentsOf: URL(fileURLWithPath: sample.path))
    let target = sample.folder.file("Changed.sqlite")
    var found = 0
    for seed in 0..<UInt64(Self.count) {
      var random = SeededGenerator(seed: seed)
      var bytes = original
      for _ in 0...random.below(8) {
        // Behind the header, where nearly every change would only make it no database.
        let place = 100 + random.below(bytes.count - 100)
        bytes[place] = random.chance(0.5) ? UInt8(random.below(256)) : bytes[place] ^ 1
      }
      try bytes.write(to: URL(fileURLWithPath: target))
      do {
        found += try Verification(of: target).findings.isEmpty ? 0 : 1
      } catch is any DescribedError {
        found += 1
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    // Pages have free space, and a changed letter of a title is nothing that can be found.
    #expect(found > Self.count / 8)
  }
}
