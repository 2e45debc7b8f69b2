internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Whatever happens to the bytes of an archive, exactly its undamaged parts are restored.
@Suite struct SalvageCampaignTests {
  private static let count = Effort.tries(20)
  private static let first: UInt64 = Effort.seed(0)

  @Test func randomDamagesCostWhatTheyTouch() throws {
    let subject = try SalvageSubject.whole()
    var stores = 0
    for seed in Self.first..<Self.first + UInt64(Self.count) {
      var random = SeededGenerator(seed: seed)
      var bytes = subject.bytes
      let damages = 1 + random.below(3)
      for _ in 0..<damages { Self.damage(&bytes, &random) }
      let way: SalvageTrial.Way = random.below(3) == 0 ? .pipe : .file
      let trial = SalvageTrial(subject, bytes, way)
      var faults = try trial.faults()
      if damages > 1, !trial.hasIndex {
        // Behind a wrong length that leads beyond the end, nothing is believed without a way to the footer.
        faults.removeAll { $0.contains("only in the first") }
      }
      #expect(faults == [], "seed \(seed)")
      stores += trial.lost.isDisjoint(with: SalvageOracle.needed) ? 1 : 0
    }
    // Most damages leave the documents alone that are needed.
    #expect(stores >= Self.count / 2)
  }

  /// Changes, removes, inserts, doubles, moves or zeroes some bytes, or cuts the end off.
  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard bytes.count > 100 else { return }
    let start = random.below(bytes.count)
    let sizes = [1, 16, 512, 4096, 20_000]
    let end = min(bytes.count, start + 1 + random.below(sizes[random.below(sizes.count)]))
    switch random.below(8) {
    case 0, 1: for place in start..<end { bytes[place] = UInt8(random.below(256)) }
    case 2: bytes.removeSubrange(start..<end)
    case 3: bytes.insert(contentsOf: (start..<end).map { _ in UInt8(random.below(256)) }, at: start)
    case 4: bytes.insert(contentsOf: Array(bytes[start..<end]), at: random.below(bytes.count))
    case 5: for place in start..<end { bytes[place] = 0 }
    case 6:
      let piece = Array(bytes[start..<end])
      bytes.removeSubrange(start..<end)
      bytes.insert(contentsOf: piece, at: random.below(bytes.count + 1))
    default:
      // A short piece of the end, or any.
      bytes.removeLast(random.below(random.below(2) == 0 ? 2000 : bytes.count))
    }
  }
}
