/// An attribute that is a date, over time.
public struct DateGrowth: Sendable, Equatable {
  /// The entity that declares the attribute.
  public var entityName: String
  /// The name, of an element of a composite attribute with the names around it before points.
  public var name: String
  /// Its values; without buckets where none is from 1900 to 2199.
  public var histogram: DateHistogram
  /// How many values are before 1900 or after 2199: nearly always such as stand for never.
  public var outsideCount: Int
}
