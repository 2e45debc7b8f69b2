internal import Foundation

/// The effort of the random tests.
///
/// `COFFER_EFFORT` multiplies what an ordinary run tries; `COFFER_SEED` chooses other random inputs. Every test that
/// uses a seed prints it when it fails.
package enum Effort {
  private static let environment = ProcessInfo.processInfo.environment

  /// The value of `COFFER_EFFORT`: 1 in an ordinary run, at least 1.
  package static let factor = max(1, environment["COFFER_EFFORT"].flatMap(Int.init) ?? 1)

  /// Whether more is tried than in an ordinary run, so that everything is tried where that is possible.
  package static let isLong = factor > 1

  /// The number of tries where an ordinary run makes `ordinary` of them.
  package static func tries<Count: BinaryInteger>(_ ordinary: Count) -> Count {
    ordinary * Count(factor)
  }

  /// The first seed: the value of `COFFER_SEED`, or `ordinary`.
  package static func seed<Seed: FixedWidthInteger>(_ ordinary: Seed = 1) -> Seed {
    environment["COFFER_SEED"].flatMap { Seed($0) } ?? ordinary
  }
}
