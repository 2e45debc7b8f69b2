public import CofferCore
public import CoreDataStore

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

  /// Whether differences include the values; otherwise they only name what differs.
  public var includesValues: Bool

  /// The properties that identify the objects of some entities.
  ///
  /// They come before uniqueness constraints and primary keys.
  public var naturalKeys: [NaturalKey] = []
  /// Whether objects are matched by entity and primary key only.
  public var matchesByObjectID = false
  /// What is not compared.
  public var ignoredAspects: Set<Aspect> = []
  /// The entities to compare, with their subentities; empty for everything.
  ///
  /// With entities, only their objects and the pairs of their relationships are compared.
  public var entityNames: [String] = []

  /// Whether differences include the values of version counters and primary key counters.
  var includesCounters = false
  /// Whether to report the values of objects that only one source has.
  package var describesObjects = false
  /// Whether only objects and facts about the stores are compared, not pairs, other tables or
  /// files.
  var isLimitedToObjects = false

  /// How to read the stores.
  public var access: StoreAccess

  /// How to read archives.
  public var archiveAccess: ArchiveAccess

  /// The folder for temporary data that does not fit in memory; nil for the system's temporary
  /// folder.
  public var temporaryFolder: String?

  /// Creates options.
  ///
  /// The default access is safe in any app.
  public init(
    includesValues: Bool = false, access: StoreAccess = .copy,
    archiveAccess: ArchiveAccess = ArchiveAccess()
  ) {
    self.includesValues = includesValues
    self.access = access
    self.archiveAccess = archiveAccess
  }
}
