package import StoreGenerator

/// The inputs of a target in their order: the seeds, then their mutations.
///
/// An input is a function of the seed and its number alone, so that it can be reproduced without the earlier
/// ones.
package struct FuzzCampaign: Sendable {
  /// What is given the inputs.
  package let target: FuzzTarget
  /// What decides the inputs.
  package let seed: UInt64
  /// The inputs that mutations begin with.
  package let corpus: [[UInt8]]

  /// The maximum number of mutations of one input.
  private static let longestChain = 6

  /// Prepares a campaign.
  ///
  /// - Parameters:
  ///   - target: what is given the inputs.
  ///   - seed: decides the inputs.
  ///   - files: further inputs to begin with.
  /// - Throws: what goes wrong while the seeds are made.
  package init(_ target: FuzzTarget, seed: UInt64, adding files: [[UInt8]] = []) throws {
    self.target = target
    self.seed = seed
    corpus = try target.seeds() + files
  }

  /// The input of a number, from 0.
  package func input(_ number: Int) -> [UInt8] {
    if number < corpus.count { return corpus[number] }
    // Two steps, so that neighbouring numbers have nothing in common.
    var first = SeededGenerator(seed: seed ^ UInt64(truncatingIfNeeded: number) << 20)
    var random = SeededGenerator(seed: first.next())
    guard !corpus.isEmpty else {
      return (0..<random.below(64)).map { _ in UInt8(random.below(256)) }
    }
    var bytes = corpus[random.below(corpus.count)]
    FuzzFolder.use {
      for _ in 0...random.below(Self.longestChain) { mutate(&bytes, &random) }
    }
    return bytes
  }

  /// Changes an input once.
  package func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    if let change = target.change, random.chance(0.5) {
      var changed = bytes
      let isChanged = FuzzFolder.use { (try? change(&changed, &random)) != nil }
      if isChanged, changed.count <= target.maximumSize {
        bytes = changed
        return
      }
    }
    let other = corpus.isEmpty ? [] : corpus[random.below(corpus.count)]
    ByteMutation(words: target.words, other: other).apply(to: &bytes, &random)
    if bytes.count > target.maximumSize { bytes.removeLast(bytes.count - target.maximumSize) }
  }
}
