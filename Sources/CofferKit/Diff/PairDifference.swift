/// A difference of one pair of a many-to-many relationship.
public struct PairDifference: Sendable, Hashable {
  /// What became of the pair; changed where its place in an ordered relationship is another.
  public var kind: ChangeKind
  /// The entity that declares the relationship.
  public var entityName: String
  /// The name of the relationship.
  public var relationshipName: String
  /// The primary key of the object that has the relationship; nil where it is not an integer.
  public var source: Int64?
  /// The primary key of its destination; nil where it is not an integer.
  public var destination: Int64?
}
