internal import CofferCore

/// The statistics of an attribute's values, without any of the values: the number of missing values, their
/// sizes, and whether a few of them repeat.
struct ValueLikeness {
  /// A half-open range of sizes: the value of a number, the seconds of a date, the length of a text
  /// or of bytes.
  struct Sizes: Hashable {
    let lower: Double
    /// The size after the greatest.
    let upper: Double

    /// The range of sizes between two powers of two that contains a number.
    init(of number: Double) {
      guard number.isFinite, number.magnitude >= 1 else {
        (lower, upper) = (0, 0)
        return
      }
      let least = number.magnitude.binade
      (lower, upper) = number < 0 ? (-2 * least, -least) : (least, 2 * least)
    }

    /// The seconds of the year of a date.
    init(yearOf date: Double) {
      guard date.magnitude < 1e12 else {
        (lower, upper) = (0, 0)
        return
      }
      let year = (date / Self.secondsOfYear).rounded(.down)
      (lower, upper) = (year * Self.secondsOfYear, (year + 1) * Self.secondsOfYear)
    }

    private static let secondsOfYear = 31_556_952.0

    func real(_ random: inout SeededRandom) -> Double { lower + (upper - lower) * random.unit() }

    func whole(_ random: inout SeededRandom) -> Int64 {
      Int64(exactly: real(&random).rounded(.down)) ?? (lower < 0 ? .min : .max)
    }
  }

  /// The share of objects without a value.
  private(set) var emptyShare = 0.0
  private(set) var fileShare = 0.0
  /// The number of different values, if they repeat; nil if not.
  private(set) var distinctCount: Int?
  /// The cumulative number of values by range of sizes.
  private var sizes: [(sizes: Sizes, upTo: Int)] = []

  /// A size, as frequent as in the store; nil if it has no values.
  func size(_ random: inout SeededRandom) -> Sizes? {
    guard let total = sizes.last?.upTo else { return nil }
    let place = random.below(total)
    return sizes.first { place < $0.upTo }?.sizes
  }

  /// Counts the values of an attribute.
  struct Counter {
    private var count = 0
    private var emptyCount = 0
    private var fileCount = 0
    private var sizes: [Sizes: Int] = [:]
    /// The hashes of the first different values.
    private var hashes: Set<Int> = []
    /// With more different values, repetition is not detected.
    private static let maxDifferent = 256
    /// The average number of occurrences of each value, if they repeat.
    private static let minRepetitions = 4

    /// Adds an object without a value.
    mutating func addEmpty() {
      count += 1
      emptyCount += 1
    }

    mutating func addFile() {
      count += 1
      fileCount += 1
    }

    mutating func add(_ own: Sizes, hash: Int) {
      count += 1
      sizes[own, default: 0] += 1
      if hashes.count <= Self.maxDifferent { hashes.insert(hash) }
    }

    var likeness: ValueLikeness {
      var likeness = ValueLikeness()
      if count > 0 {
        likeness.emptyShare = Double(emptyCount) / Double(count)
        likeness.fileShare = Double(fileCount) / Double(count)
      }
      let valueCount = count - emptyCount - fileCount
      if hashes.count <= Self.maxDifferent, !hashes.isEmpty,
        valueCount >= hashes.count * Self.minRepetitions
      {
        likeness.distinctCount = hashes.count
      }
      var total = 0
      for (own, count) in sizes.sorted(by: { ($0.key.lower, $0.value) < ($1.key.lower, $1.value) })
      {
        total += count
        likeness.sizes.append((own, total))
      }
      return likeness
    }
  }
}
