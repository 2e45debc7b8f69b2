internal import CoreDataModel

/// Relationships without inverse.
enum MissingInverseRule: ModelRule {
  static let code = ModelRuleCode(
    text: "missing-inverse", severity: .warning,
    meaning: """
      A relationship has no inverse, so nothing keeps it right when its destination is deleted: it \
      goes on pointing to an object that is gone.
      """,
    remedy: "Give it an inverse, even one that the app never reads.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) {
      model.inverse(of: $0) == nil
    } detail: { relationship in
      relationship.inverseName.map { "there is no relationship \($0)" } ?? ""
    }
  }
}
