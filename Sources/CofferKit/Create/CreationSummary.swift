/// The result of creating a store.
public struct CreationSummary: Sendable, Equatable {
  /// The UUID of the store.
  public var storeUUID: String
  /// The version number of the framework that the store imitates.
  public var frameworkVersion: Int64
  /// The systems with this framework, such as `macOS 14 / iOS 17`.
  public var frameworkEra: String
  /// The number of entities in the model.
  public var entityCount: Int
  /// The number of tables for objects, relationships and persistent history.
  public var tableCount: Int
  /// The number of indexes, including R-trees.
  public var indexCount: Int
  /// The number of triggers.
  public var triggerCount: Int
  /// Whether the store has a version hash for every entity.
  ///
  /// Otherwise Core Data takes it for a store of another model, and refuses or migrates it.
  public var hasVersionHashes: Bool
  /// Notes on what was chosen or left out, without capital and full stop.
  public var notes: [String]
}
