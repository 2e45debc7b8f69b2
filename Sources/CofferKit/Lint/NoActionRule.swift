internal import CoreDataModel

/// Relationships with the delete rule No Action.
enum NoActionRule: ModelRule {
  static let code = ModelRuleCode(
    text: "no-action-delete-rule", severity: .warning,
    meaning: """
      The delete rule No Action leaves the inverse of the destinations pointing to an object that is \
      gone, unless the app mends it itself.
      """,
    remedy: "Use Nullify or Cascade.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) { $0.deleteRule == .noAction }
  }
}
