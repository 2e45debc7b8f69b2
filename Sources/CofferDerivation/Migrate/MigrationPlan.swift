package import CofferCore
package import CoreDataModel

/// The steps of a migration, and the reasons against it.
public struct MigrationPlan: Sendable {
  /// A step from one version of the model to another.
  package struct Step: Sendable {
    /// The name of the old model: a version, or the store itself.
    package var oldName: String
    /// The name of the new model.
    package var newName: String
    /// The mapping of objects of the old model to objects of the new model.
    package var mapping: ModelMapping
    /// The name of the file of the mapping model that is carried out; nil for the inferred mapping.
    package var mappingName: String?
    /// The mapping model that is carried out; nil for the inferred mapping.
    package var mappingModel: MappingModel?
  }

  /// The steps, in order; never empty.
  package var steps: [Step]
  /// Whether intermediate steps were tried because one step is not possible.
  public var isDetour: Bool
  /// The problems that prevent the migration; empty if none is known.
  package var problems: [MappingProblem]
  /// Notes on the migration.
  public var notes: [MigrationNote]
  /// Whether the objects were checked against the conditions; this is possible in the first step
  /// only, and not in an archive.
  public var areObjectsChecked: Bool

  /// Whether no problem is known.
  public var isPossible: Bool { problems.isEmpty }

  /// Whether, and by whom, the store can be migrated.
  package var verdict: MigrationVerdict { MigrationVerdict(problems) }
}

/// The result of a migration.
public struct MigrationSummary: Sendable {
  /// The completed steps, in order.
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

extension CofferError {
  /// The problems that make a migration impossible; empty for errors with codes other than
  /// ``Code/impossibleMigration``.
  package var problems: [MappingProblem] { evidence as? [MappingProblem] ?? [] }

  static func impossible(
    _ problems: [MappingProblem], path: String, from old: String, to new: String
  ) -> CofferError {
    let count = problems.count == 1 ? "1 reason" : "\(problems.count) reasons"
    let first = problems.first.map { ": \($0)" } ?? ""
    let lack =
      switch MigrationVerdict(problems) {
      case .needsExample: " without a store of the new model"
      case .losesObjects: " unless most objects may be left behind"
      case .coreDataOnly: " except by Core Data"
      case .customMapping: " without a custom mapping"
      case .possible, .impossible: ""
      }
    return CofferError(
      .impossibleMigration, path: path,
      detail: "from \(old) to \(new)\(lack), for \(count)\(first)",
      advice: problems.first?.remedy, evidence: problems)
  }
}
