/// How a store is restored.
public struct ImportOptions: Sendable, Equatable {
  /// What becomes of a part of the store that belongs to one copy of it alone.
  public enum Retention: String, Sendable, CaseIterable {
    /// It is restored as it was.
    case keep
    /// It is left out; the tables are there and empty.
    case drop
  }

  /// What becomes of the store's UUID.
  public enum StoreUUID: String, Sendable, CaseIterable {
    /// The restored store has the UUID of the old one: it takes its place.
    case keep
    /// The restored store gets a UUID of its own: it stands beside the old one.
    case new
  }

  /// Whether a store that is there is replaced.
  public var overwriting: Bool
  /// Whether a store in which something is wrong is refused rather than restored as it was.
  public var isStrict: Bool
  /// Whether of a damaged archive everything is restored that is whole, and the rest reported.
  ///
  /// Otherwise a damaged archive is an error. Not together with ``isStrict``.
  public var salvages = false
  /// What becomes of the store's UUID.
  public var storeUUID: StoreUUID
  /// What becomes of the persistent history.
  public var history: Retention
  /// What becomes of the tables of CloudKit mirroring.
  public var cloudKit: Retention
  /// Whether the statements of the archive's schema are run even where no store of Core Data consists
  /// of such; only what SQLite lists of them afterwards is compared then.
  public var trustsSchema = false
  /// The model that the archive must be of; nil for any.
  public var model: LoadedModel?
  /// How the archive is read.
  public var archiveAccess = ArchiveAccess()

  /// Creates options; without arguments everything is kept and nothing is overwritten.
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
