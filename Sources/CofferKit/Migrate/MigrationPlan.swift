public import CoreDataModel

/// What a migration does, before it does it.
public struct MigrationPlan: Sendable {
  /// One step from a version of the model to another.
  public struct Step: Sendable {
    /// What the old model is called: a version, or the store itself.
    public var oldName: String
    /// What the new model is called.
    public var newName: String
    /// How the objects of the one become those of the other.
    public var mapping: ModelMapping
  }

  /// The steps, in order; never empty.
  public var steps: [Step]
  /// Whether the steps were looked for because one alone is not possible.
  public var isDetour: Bool
  /// What keeps the migration from being possible; empty where nothing is known that does.
  public var problems: [MappingProblem]
  /// What is to be known about it.
  public var notes: [MigrationNote]
  /// Whether the objects were asked whether they meet the conditions; only those of the first step can
  /// be, and not those in an archive.
  public var areObjectsChecked: Bool

  /// Whether nothing is known that keeps it from being possible.
  public var isPossible: Bool { problems.isEmpty }
}
