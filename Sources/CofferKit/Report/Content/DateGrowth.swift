/// The values of a date attribute over time.
public struct DateGrowth: Sendable, Equatable {
  /// The declaring entity.
  public var entityName: String
  /// The name; for an element of a composite attribute, with the names of the enclosing ones before
  /// dots.
  public var name: String
  /// Its values; without buckets if none is from 1900 to 2199.
  public var histogram: DateHistogram
  /// The number of values before 1900 or after 2199, which usually mean "never".
  public var outsideCount: Int
}
