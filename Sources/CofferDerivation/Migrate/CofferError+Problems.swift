internal import CofferCore
public import CoreDataModel

extension CofferError {
  /// The problems that make a migration impossible; empty for errors with codes other than
  /// ``Code/impossibleMigration``.
  public var problems: [MappingProblem] { evidence as? [MappingProblem] ?? [] }

  /// The error for at least one problem.
  static func impossible(
    _ problems: [MappingProblem], path: String, from old: String, to new: String
  ) -> CofferError {
    let count = problems.count == 1 ? "1 reason" : "\(problems.count) reasons"
    let first = problems.first.map { ": \($0)" } ?? ""
    let lack =
      switch MigrationVerdict(problems) {
      case .needsExample: " without a store of the new model"
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
