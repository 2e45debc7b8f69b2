public import CofferCore

/// Options for comparing stores.
public struct ComparisonOptions: Sendable, Equatable {
  /// A fact about stores that often differs without consequence.
  public enum Aspect: String, Sendable, Hashable, CaseIterable {
    /// Persistent history.
    case history
    /// The store metadata.
    case metadata
    /// The primary key counters, and the version counters of objects.
    case counters
    /// The UUIDs of the stores.
    case uuid
  }

  /// Whether differences include the values, not only names.
  public var includesValues: Bool

  /// The properties that identify the objects of some entities.
  ///
  /// They come before uniqueness constraints and primary keys.
  public var naturalKeys: [NaturalKey] = []
  /// Whether objects are matched by entity and primary key only.
  public var matchesByObjectID = false
  /// The aspects that are not compared.
  public var ignoredAspects: Set<Aspect> = []
  /// The entities to compare, with their subentities; empty for everything.
  ///
  /// With entities, only their objects and the pairs of their relationships are compared.
  public var entityNames: [Name] = []

  /// Whether differences include the values of version counters and primary key counters.
  var includesCounters = false
  /// Whether to report the values of objects that only one source has.
  package var describesObjects = false
  /// Whether only objects and facts about the stores are compared, not pairs, other tables or
  /// files.
  var isLimitedToObjects = false

  /// How both are read, and where temporary data goes.
  public var environment: WorkEnvironment

  /// Creates options.
  public init(
    includesValues: Bool = false, environment: WorkEnvironment = WorkEnvironment()
  ) {
    self.includesValues = includesValues
    self.environment = environment
  }
}
