/// The result of a migration.
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
  /// The UUID of the store, which does not change; nil if it has none.
  public var storeUUID: String?
  /// Notes on the migration.
  public var notes: [MigrationNote]
}
