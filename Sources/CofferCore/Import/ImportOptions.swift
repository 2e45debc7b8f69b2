/// Options for restoring a store.
public struct ImportOptions: Sendable, Equatable {
  /// What happens to a part that belongs to a single copy of the store.
  public enum Retention: String, Sendable, CaseIterable {
    /// Restores it unchanged.
    case keep
    /// Leaves it out; the tables exist but are empty.
    case drop
  }

  /// What happens to the store's UUID.
  public enum StoreUUID: String, Sendable, CaseIterable {
    /// Keeps the UUID: the restored store replaces the original.
    case keep
    /// Creates a new UUID: the restored store is used beside the original.
    case new
  }

  /// Whether to replace an existing store.
  public var overwriting: Bool
  /// Whether to refuse a store with errors in its data instead of restoring it as it was.
  public var isStrict: Bool
  /// Whether to restore everything intact from a damaged archive and report the rest.
  ///
  /// If false, a damaged archive is an error. Cannot be combined with ``isStrict``.
  public var salvages = false
  /// What happens to the store's UUID.
  public var storeUUID: StoreUUID
  /// What happens to the persistent history.
  public var history: Retention
  /// What happens to the tables of CloudKit mirroring.
  public var cloudKit: Retention
  /// Whether to run statements in the archive's schema that no Core Data store contains.
  ///
  /// Afterwards, only SQLite's list of the created objects is compared with the schema.
  public var trustsSchema = false
  /// The objects to restore, with those that they need; nil for everything.
  ///
  /// With a selection, the history and the tables of CloudKit mirroring are dropped: they would tell of
  /// objects that are not there.
  public var selection: ObjectSelection?
  /// The model that the archive must match; nil for any.
  ///
  /// A salvage takes from it what the archive has lost: the version hashes, and the store's copy of its
  /// model.
  public var model: LoadedModel?
  /// How to read the archive.
  public var archiveAccess = ArchiveAccess()
  /// The archives in files from which a salvage takes what is lost.
  package var donors: [String] = []

  /// Creates options.
  ///
  /// The defaults keep everything and overwrite nothing.
  public init(
    overwriting: Bool = false, isStrict: Bool = false, storeUUID: StoreUUID = .keep,
    history: Retention = .keep, cloudKit: Retention = .keep
  ) {
    self.overwriting = overwriting
    self.isStrict = isStrict
    self.storeUUID = storeUUID
    self.history = history
    self.cloudKit = cloudKit
  }
}
