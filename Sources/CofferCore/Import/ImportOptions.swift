internal import CoreDataLayout
internal import CoreDataModel

/// Options for restoring a store.
public struct ImportOptions: Sendable, Equatable {
  /// The treatment of a part that belongs to a single copy of the store.
  public enum Retention: String, Sendable, CaseIterable {
    /// Restores it unchanged.
    case keep
    /// Leaves it out; the tables exist but are empty.
    case drop
  }

  /// The treatment of the store's UUID.
  public enum StoreUUID: String, Sendable, CaseIterable {
    /// Keeps the UUID: the restored store replaces the original.
    case keep
    /// Creates a new UUID: the restored store is used along with the original.
    case new
  }

  /// Whether to replace an existing store.
  public var overwriting: Bool
  /// Whether to run all checks on the restored store, and to refuse a store with errors instead of restoring
  /// it unchanged.
  public var isStrict: Bool
  /// Whether to restore everything intact from a damaged archive and report the rest.
  ///
  /// If false, a damaged archive is an error. Cannot be combined with ``isStrict``.
  public var salvages = false
  /// The treatment of the store's UUID.
  public var storeUUID: StoreUUID
  /// The treatment of the persistent history.
  public var history: Retention
  /// The treatment of the tables of CloudKit mirroring.
  public var cloudKit: Retention
  /// Whether to run statements in the archive's schema that no Core Data store contains.
  ///
  /// Afterwards, only SQLite's list of the created objects is compared with the schema.
  public var trustsSchema = false
  /// The objects to restore, which brings along the objects that they need; nil for everything.
  ///
  /// With a selection, the history and the tables of CloudKit mirroring are dropped: they would mention
  /// objects that do not exist.
  public var selection: ObjectSelection?
  /// The environment for reading the archive.
  ///
  /// A salvage takes lost parts of the archive from the model of the environment: the version hashes, and the
  /// store's copy of its model.
  public var environment = WorkEnvironment()
  /// The archive files from which a salvage takes lost entries.
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

extension ImportOptions {
  /// Whether to restore the rows of a table; throws an error if that conflicts with another option.
  func restores(_ table: TableLayout, from archive: String) throws(CofferError) -> Bool {
    guard keeps(table) else { return false }
    guard storeUUID != .keep, [.history, .cloudKit].contains(table.kind) else { return true }
    let (what, advice): (String, CofferError.Advice) =
      table.kind == .history
      ? ("persistent history", .dropHistory) : ("CloudKit mirroring", .dropCloudKit)
    throw CofferError(
      .incompatibleChoices, path: archive,
      detail:
        "the \(what) belongs to the store's UUID: keeping it in a store with a new UUID "
        + "can make the app lose changes or fail to open the store",
      advice: advice)
  }

  func keeps(_ table: TableLayout) -> Bool {
    switch table.kind {
    case .history: history == .keep && selection == nil
    case .cloudKit: keepsCloudKit
    default: true
    }
  }

  /// Whether the options include a file: files in the folders of CloudKit mirroring go with its tables.
  func keepsFile(_ components: [String]) -> Bool {
    CompanionFolder.of(components) == nil || keepsCloudKit
  }

  /// Whether the store stays connected with iCloud.
  var keepsCloudKit: Bool { cloudKit == .keep && selection == nil }
}
