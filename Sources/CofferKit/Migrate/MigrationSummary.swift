/// What a migration did.
public struct MigrationSummary: Sendable {
  /// What was done, step by step.
  public var plan: MigrationPlan
  /// The number of objects in the new store.
  public var objectCount: Int
  /// The number of rows of many-to-many relationships in the new store.
  public var pairCount: Int
  /// The number of entities of the new model.
  public var entityCount: Int
  /// The number of files of external binary data.
  public var externalFileCount: Int
  /// The UUID of the store, which stays; nil where it has none.
  public var storeUUID: String?
  /// What is to be known about it.
  public var notes: [MigrationNote]
}
