/// A many-to-many relationship and the number of its pairs.
public struct PairInspection: Sendable, Equatable {
  /// The entity that declares the relationship.
  public var entityName: String
  /// The name of the relationship.
  public var relationshipName: String
  /// The name of the inverse, which may be the relationship itself; nil if it is unknown.
  public var inverseName: String?
  /// The number of pairs.
  public var pairCount: Int
}
