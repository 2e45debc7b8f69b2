/// A many-to-many relationship with the number of its pairs.
public struct PairInspection: Sendable, Equatable {
  /// The entity that declares the relationship.
  public var entityName: String
  /// The name of the relationship.
  public var relationshipName: String
  /// The name of the inverse; the same for a relationship that is its own; nil where it is unknown.
  public var inverseName: String?
  /// How many pairs there are.
  public var pairCount: Int
}
