/// How a store is migrated.
public struct MigrationOptions: Sendable, Equatable {
  /// The version of the new model in a folder of several; nil for the current one.
  public var version: String?
  /// The versions on the way to it, in order; empty for one step, or for as few as it takes.
  public var intermediateVersions: [String] = []
  /// The model of the store, where that has no copy of its own: a version of the new model's folder, or
  /// the path of a model.
  public var storeModel: String?
  /// The path of a store of the new model, or of an archive of one, which tells what does not follow from a model; nil for none.
  public var exampleStore: String?
  /// Whether more than half of the objects may be left behind, because the new model lacks their entities.
  public var allowsLoss = false
  /// Whether a store that is there is replaced.
  public var overwriting = false
  /// How the store is read.
  public var access = StoreAccess.copy
  /// How an archive is read.
  public var archiveAccess = ArchiveAccess()

  /// Creates options; without arguments the current version is wanted and nothing is overwritten.
  public init(version: String? = nil, overwriting: Bool = false) {
    self.version = version
    self.overwriting = overwriting
  }
}
