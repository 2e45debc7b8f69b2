public import CofferCore
public import CoreDataModel

/// What a migration would do.
public struct MigrationPlan: Sendable {
  /// A step from one version of the model to another.
  public struct Step: Sendable {
    /// The name of the old model: a version, or the store itself.
    public var oldName: String
    /// The name of the new model.
    public var newName: String
    /// How the objects of the old model become those of the new one.
    public var mapping: ModelMapping
  }

  /// The steps, in order; never empty.
  public var steps: [Step]
  /// Whether intermediate steps were tried because one step is not possible.
  public var isDetour: Bool
  /// The problems that prevent the migration; empty if none is known.
  public var problems: [MappingProblem]
  /// Notes on the migration.
  public var notes: [MigrationNote]
  /// Whether the objects were checked for the conditions; only those of the first step can be, and
  /// not those in an archive.
  public var areObjectsChecked: Bool

  /// Whether no problem is known.
  public var isPossible: Bool { problems.isEmpty }

  /// Whether, and by whom, the store can be migrated.
  public var verdict: MigrationVerdict { MigrationVerdict(problems) }
}
