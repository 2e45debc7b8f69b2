internal import CoreDataModel

/// Relationships with the delete rule Deny.
enum DenyRule: ModelRule {
  static let code = ModelRuleCode(
    text: "deny-delete-rule", severity: .warning,
    meaning: """
      With the delete rule Deny, saving fails as long as there are destinations, possibly far from \
      the code that deletes.
      """,
    remedy: "Use Nullify or Cascade, and ask the user before deleting.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) { $0.deleteRule == .deny }
  }
}

/// Relationships without inverse.
enum MissingInverseRule: ModelRule {
  static let code = ModelRuleCode(
    text: "missing-inverse", severity: .warning,
    meaning: """
      A relationship has no inverse, so nothing updates it when its destination is deleted: it keeps \
      pointing to an object that no longer exists.
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

/// Relationships with the delete rule No Action.
enum NoActionRule: ModelRule {
  static let code = ModelRuleCode(
    text: "no-action-delete-rule", severity: .warning,
    meaning: """
      With the delete rule No Action, the inverse of the destinations keeps pointing to a deleted \
      object, unless the app corrects it.
      """,
    remedy: "Use Nullify or Cascade.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) { $0.deleteRule == .noAction }
  }
}

/// One-to-one relationships that both sides require.
enum RequiredOneToOneRule: ModelRule {
  static let code = ModelRuleCode(
    text: "required-one-to-one", severity: .warning,
    meaning: """
      Both sides of a one-to-one relationship are required, so neither object can be saved before, \
      or deleted without, the other.
      """,
    remedy: "Make one side optional, or merge the entities.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    // Of the two sides the first is named.
    var seen: Set<[String]> = []
    return model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> ModelProblem? in
        guard isRequired(relationship), let inverse = model.inverse(of: relationship),
          isRequired(inverse.relationship),
          seen.insert([entity.name, relationship.name]).inserted,
          seen.insert([inverse.declaredBy, inverse.relationship.name]).inserted
        else { return nil }
        return ModelProblem(
          code, entity.name, relationship.name,
          "its inverse is \(inverse.declaredBy).\(inverse.relationship.name)")
      }
    }
  }

  private static func isRequired(_ relationship: RelationshipDescription) -> Bool {
    !relationship.isToMany && !relationship.isOptional && !relationship.isTransient
  }
}
