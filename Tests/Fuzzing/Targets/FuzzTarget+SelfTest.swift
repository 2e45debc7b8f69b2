internal import Foundation

extension FuzzTarget {
  private struct NoCode: Error {}

  /// A target with one finding of each kind, to see that they are found; not one of ``all``.
  package static let selfTest = FuzzTarget(
    "self-test", "traps, breaks a law, fails without a code, runs on; each for one byte",
    maximumSize: 4, seeds: { [[0], [1], [2], [3], [4]] }
  ) { input in
    switch input.first {
    case 1: preconditionFailure("a trap")
    case 2: throw BrokenLaw("a broken law")
    case 3: throw NoCode()
    case 4:
      // It asks the system, or the optimizer would see that it does nothing.
      while clock() != .min {}
    default: break
    }
  }
}
