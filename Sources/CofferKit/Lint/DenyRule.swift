internal import CoreDataModel

/// Relationships with the delete rule Deny.
enum DenyRule: ModelRule {
  static let code = ModelRuleCode(
    text: "deny-delete-rule", severity: .warning,
    meaning: """
      The delete rule Deny makes saving fail as long as there are destinations, at a place in the app \
      that may be far from the deletion.
      """,
    remedy: "Use Nullify or Cascade, and ask before deleting where the app can explain itself.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) { $0.deleteRule == .deny }
  }
}
