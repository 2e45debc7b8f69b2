internal import Foundation

/// Lengths that follow a log-normal distribution, as those of texts and files do.
///
/// Drawn once into a table: taking one costs no more than a random number.
struct Lengths: Sendable {
  private let values: ContiguousArray<Int32>

  /// Makes a table for a median, a spread (the standard deviation of the logarithm) and a limit.
  init(median: Double, spread: Double, limit: Int, random: inout SeededGenerator) {
    values = ContiguousArray(
      (0..<4096).map { _ in
        let radius = (-2 * log(1 - random.unit())).squareRoot()
        let normal = radius * cos(2 * .pi * random.unit())
        return Int32(min(median * exp(spread * normal), Double(limit)))
      })
  }

  /// A length.
  func take(_ random: inout SeededGenerator) -> Int { Int(values[random.below(values.count)]) }
}

extension Double {
  /// The base of the natural logarithm to the power of the number.
  func exponential() -> Double { exp(self) }

  /// The number to a power.
  func power(_ exponent: Double) -> Double { pow(self, exponent) }
}
