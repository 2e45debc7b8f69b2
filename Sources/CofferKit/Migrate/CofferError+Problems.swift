public import CoreDataModel

extension CofferError {
  /// What keeps a migration from being possible; empty for errors of other codes than
  /// ``Code/impossibleMigration``.
  public var problems: [MappingProblem] { evidence as? [MappingProblem] ?? [] }

  /// The error for problems, of which there is at least one.
  static func impossible(
    _ problems: [MappingProblem], path: String, from old: String, to new: String
  ) -> CofferError {
    let count = problems.count == 1 ? "1 reason" : "\(problems.count) reasons"
    let first = problems.first.map { ": \($0)" } ?? ""
    return CofferError(
      .impossibleMigration, path: path, detail: "from \(old) to \(new), for \(count)\(first)",
      advice: problems.first?.remedy, evidence: problems)
  }
}
