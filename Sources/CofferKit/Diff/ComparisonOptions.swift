public import CoreDataStore

/// Options for comparing stores.
public struct ComparisonOptions: Sendable, Equatable {
  /// Whether differences include the values; otherwise they only name what differs.
  public var includesValues: Bool

  /// Whether differences include the values of version counters and primary key counters.
  var includesCounters = false
  /// Whether only objects and facts about the stores are compared, not pairs, other tables or
  /// files.
  var isLimitedToObjects = false

  /// How to read the stores.
  public var access: StoreAccess

  /// How to read archives.
  public var archiveAccess: ArchiveAccess

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
