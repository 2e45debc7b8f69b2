public import CofferCore

/// The options of a migration.
public struct MigrationOptions: Sendable, Equatable {
  /// The version of the new model if it has several; nil for the current one.
  public var version: String?
  /// The intermediate versions, in order; empty for one step, or as few as necessary.
  public var intermediateVersions: [String] = []
  /// The model of a store without its own copy: a version in the new model's folder, or the path of
  /// a model.
  public var storeModel: String?
  /// The path of a store of the new model, or an archive of one, that provides what the model
  /// leaves undecided; nil for none.
  public var exampleStore: String?
  /// Whether more than half of the objects may be lost because the new model lacks their entities.
  public var allowsLoss = false
  /// Whether to replace an existing store.
  public var overwriting = false
  /// How to read the store.
  public var access = StoreAccess.copy
  /// How to read an archive.
  public var archiveAccess = ArchiveAccess()

  /// Creates options; by default, the current version is used and nothing is replaced.
  public init(version: String? = nil, overwriting: Bool = false) {
    self.version = version
    self.overwriting = overwriting
  }
}
