internal import CoreDataModel

// What CloudKit asks of relationships. Source: Apple, "Creating a Core Data Model for CloudKit", and
// the errors of NSPersistentCloudKitContainer when it loads a store.

/// Relationships without inverse.
enum CloudInverseRule: ModelRule {
  static let code = ModelRuleCode(
    text: "cloudkit-missing-inverse", severity: .error,
    meaning: "CloudKit mirroring requires that every relationship has an inverse.",
    remedy: "Give it an inverse.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) { model.inverse(of: $0) == nil }
  }
}

/// Required relationships.
enum CloudRequiredRelationshipRule: ModelRule {
  static let code = ModelRuleCode(
    text: "cloudkit-required-relationship", severity: .error,
    meaning: """
      CloudKit mirroring requires that every relationship is optional: objects arrive one by one, in \
      any order.
      """,
    remedy: "Make it optional, and let the app do without it for a while.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) { !$0.isOptional }
  }
}

/// Relationships with the delete rule Deny.
enum CloudDenyRule: ModelRule {
  static let code = ModelRuleCode(
    text: "cloudkit-deny-delete-rule", severity: .error,
    meaning: "CloudKit mirroring does not support the delete rule Deny.",
    remedy: "Use Nullify or Cascade.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) { $0.deleteRule == .deny }
  }
}

/// Ordered relationships.
enum CloudOrderedRule: ModelRule {
  static let code = ModelRuleCode(
    text: "cloudkit-ordered-relationship", severity: .error,
    meaning: "CloudKit mirroring does not support ordered relationships.",
    remedy: "Let it be unordered, and give the destination an attribute to sort by.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) { $0.isOrdered }
  }
}
