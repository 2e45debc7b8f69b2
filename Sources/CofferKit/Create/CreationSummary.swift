/// What was created.
public struct CreationSummary: Sendable, Equatable {
  /// The UUID of the store.
  public var storeUUID: String
  /// The framework as whose the store is written, by its number.
  public var frameworkVersion: Int64
  /// The systems that the framework belongs to, such as `macOS 14 / iOS 17`.
  public var frameworkEra: String
  /// How many entities the model has.
  public var entityCount: Int
  /// How many tables there are for objects, relationships and the persistent history.
  public var tableCount: Int
  /// How many indexes there are, R-trees among them.
  public var indexCount: Int
  /// How many triggers there are.
  public var triggerCount: Int
  /// Whether the store has a version hash for every entity: without, Core Data takes it for one of
  /// another model, and refuses or migrates it.
  public var hasVersionHashes: Bool
  /// What was chosen or left out, a sentence for each, without capital and full stop.
  public var notes: [String]
}
