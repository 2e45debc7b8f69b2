public import CoreDataModel

/// How many destinations the objects have that a relationship leads from.
public struct RelationshipFanOut: Sendable, Equatable {
  /// How many objects have how many destinations.
  public struct Step: Sendable, Equatable {
    /// The least number of destinations.
    public var least: Int
    /// The greatest number of destinations.
    public var greatest: Int
    /// How many objects.
    public var ownerCount: Int
  }

  /// An object with many destinations.
  public struct Hub: Sendable, Equatable {
    /// The object.
    public var objectID: ManagedObjectID
    /// How many destinations it has.
    public var count: Int
  }

  /// The entity that declares it.
  public var entityName: String
  /// What the model says of it.
  public var relationship: RelationshipDescription
  /// How many objects have the relationship: those of the entity and of all below it.
  public var ownerCount: Int
  /// How many of them have a destination; for a to-one, however often.
  public var filledCount: Int
  /// How many destinations there are, each counted as often as something leads to it.
  public var destinationCount: Int
  /// Half of the objects have fewer destinations, or as many; 0 without objects.
  public var median: Int
  /// The least number of destinations of an object; 0 without objects.
  public var least: Int
  /// The greatest number of destinations of an object; 0 without objects.
  public var greatest: Int
  /// How many objects have how many destinations, the fewest first; steps without objects are left out,
  /// as all are for a to-one.
  public var steps: [Step]
  /// The objects with the most destinations, at most five, the most first; none for a to-one.
  public var hubs: [Hub]

  /// How many objects have no destination.
  public var emptyCount: Int { max(0, ownerCount - filledCount) }
  /// How many destinations an object has on average; 0 without objects.
  public var mean: Double {
    ownerCount > 0 ? Double(destinationCount) / Double(ownerCount) : 0
  }
}
