internal import CoreDataModel

// What CloudKit asks of entities and attributes. Source: as for relationships.

/// Uniqueness constraints.
enum CloudUniquenessRule: ModelRule {
  static let code = ModelRuleCode(
    text: "cloudkit-uniqueness-constraint", severity: .error,
    meaning: """
      CloudKit mirroring does not support uniqueness constraints: devices that cannot see each other \
      cannot prevent duplicates.
      """,
    remedy: "Remove the constraint, and let the app merge duplicates.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    model.entities.flatMap { entity -> [ModelProblem] in
      // Some models list inherited constraints again.
      let inherited = entity.superentityName.flatMap { model[$0] }?.uniquenessConstraints ?? []
      return entity.uniquenessConstraints.filter { !inherited.contains($0) }
        .map { ModelProblem(code, entity.name, nil, "of \($0.joined(separator: ", "))") }
    }
  }
}

/// Required attributes without a default value.
enum CloudRequiredAttributeRule: ModelRule {
  static let code = ModelRuleCode(
    text: "cloudkit-required-attribute", severity: .error,
    meaning: """
      CloudKit mirroring requires that every attribute is optional or has a default value: an older \
      app may not know it.
      """,
    remedy: "Make it optional, or give it a default value.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    attributes(of: model) { !$0.isOptional && $0.defaultValue == nil && !$0.isDerived }
  }
}

/// Attributes of types that CloudKit does not support.
enum CloudAttributeTypeRule: ModelRule {
  static let code = ModelRuleCode(
    text: "cloudkit-attribute-type", severity: .error,
    meaning: "CloudKit mirroring does not support the attribute types Undefined and Object ID.",
    remedy: "Choose another type, or make the attribute transient.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    attributes(of: model) { $0.type == .undefined || $0.type == .objectID }
  }
}

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

enum CloudRequiredRelationshipRule: ModelRule {
  static let code = ModelRuleCode(
    text: "cloudkit-required-relationship", severity: .error,
    meaning: """
      CloudKit mirroring requires that every relationship is optional: objects arrive one by one, in \
      any order.
      """,
    remedy: "Make it optional, and let the app handle nil for a while.")

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
    remedy: "Make it unordered, and give the destination an attribute to sort by.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) { $0.isOrdered }
  }
}
