/// How many of something happened when, in buckets of equal units of the calendar, in UTC.
public struct DateHistogram: Sendable, Equatable {
  /// The length of a bucket.
  public enum Unit: String, Sendable, CaseIterable {
    /// A day.
    case day
    /// A week, beginning on Monday.
    case week
    /// A month.
    case month
    /// A year.
    case year
  }

  /// One unit of time.
  public struct Bucket: Sendable, Equatable {
    /// When it begins: `2024-05-01`, `2024-05` for a month, `2024` for a year.
    public var label: String
    /// How many.
    public var count: Int
  }

  /// The length of a bucket.
  public var unit: Unit
  /// The buckets from the first to the last with something in it, empty ones between them included.
  public var buckets: [Bucket]

  /// How many in all buckets.
  public var count: Int { buckets.reduce(0) { $0 + $1.count } }
  /// The most in one bucket; 0 without buckets.
  public var largest: Int { buckets.map(\.count).max() ?? 0 }
}
