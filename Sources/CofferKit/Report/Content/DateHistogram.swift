/// The number of events over time, in buckets of equal calendar units, in UTC.
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

  /// A unit of time.
  public struct Bucket: Sendable, Equatable {
    /// The beginning: `2024-05-01`, `2024-05` for a month, `2024` for a year.
    public var label: String
    /// The number of events.
    public var count: Int
  }

  /// The length of a bucket.
  public var unit: Unit
  /// The buckets from the first to the last nonempty one, including empty ones in between.
  public var buckets: [Bucket]

  /// The total of all buckets.
  public var count: Int { buckets.reduce(0) { $0 + $1.count } }
  /// The maximum of all buckets; 0 without buckets.
  public var largest: Int { buckets.map(\.count).max() ?? 0 }
}
