/// The median of some values with the least and the greatest.
struct Spread: Equatable {
  let median: Double
  let least: Double
  let greatest: Double

  /// Sums values up; nil if there are none.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    least = first
    greatest = last
    let middle = sorted.count / 2
    median =
      sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
