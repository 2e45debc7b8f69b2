internal import CoreDataModel

/// One-to-one relationships that both sides require.
enum RequiredOneToOneRule: ModelRule {
  static let code = ModelRuleCode(
    text: "required-one-to-one", severity: .warning,
    meaning: """
      Both sides of a one-to-one relationship are required, so neither object can be saved before, \
      or deleted without, the other.
      """,
    remedy: "Make one side optional, or put both entities together.")

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
