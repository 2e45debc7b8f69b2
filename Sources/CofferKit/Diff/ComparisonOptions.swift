public import CoreDataStore

/// How stores are compared.
public struct ComparisonOptions: Sendable, Equatable {
  /// Whether differences hold the values themselves; otherwise they name what differs and no more.
  public var includesValues: Bool

  /// Whether differences hold the values of counters: of versions and of primary keys.
  var includesCounters = false
  /// Whether objects, and what the stores are, is all that is compared: not pairs, other tables, files.
  var isLimitedToObjects = false

  /// How stores are read while they are compared.
  public var access: StoreAccess

  /// How archives are read.
  public var archiveAccess: ArchiveAccess

  /// Creates options; the default access is safe in any app.
  public init(
    includesValues: Bool = false, access: StoreAccess = .copy,
    archiveAccess: ArchiveAccess = ArchiveAccess()
  ) {
    self.includesValues = includesValues
    self.access = access
    self.archiveAccess = archiveAccess
  }
}
