internal import CoreDataModel

/// The requirements of CloudKit for entities, attributes and relationships.
///
/// Source: Apple, "Creating a Core Data Model for CloudKit", and the errors of
/// NSPersistentCloudKitContainer when it loads a store.
extension ModelRule {
  static let cloudUniqueness = ModelRule(
    code: ModelRuleCode(
      text: "cloudkit-uniqueness-constraint", severity: .error,
      meaning: """
        CloudKit mirroring does not support uniqueness constraints: devices that cannot see each other \
        cannot prevent duplicates.
        """,
      remedy: "Remove the constraint, and let the app merge duplicates.")
  ) { model in
    model.entities.flatMap { entity -> [Place] in
      // Some models list inherited constraints again.
      let inherited = entity.superentityName.flatMap { model[$0] }?.uniquenessConstraints ?? []
      return entity.uniquenessConstraints.filter { !inherited.contains($0) }
        .map { (entity.name, nil, "of \($0.joined(separator: ", "))") }
    }
  }

  static let cloudRequiredAttribute = attributes(
    ModelRuleCode(
      text: "cloudkit-required-attribute", severity: .error,
      meaning: """
        CloudKit mirroring requires that every attribute is optional or has a default value: an older \
        app may not know it.
        """,
      remedy: "Make it optional, or give it a default value.")
  ) { !$0.isOptional && $0.defaultValue == nil && !$0.isDerived }

  static let cloudAttributeType = attributes(
    ModelRuleCode(
      text: "cloudkit-attribute-type", severity: .error,
      meaning: "CloudKit mirroring does not support the attribute types Undefined and Object ID.",
      remedy: "Choose another type, or make the attribute transient.")
  ) { $0.type == .undefined || $0.type == .objectID }

  static let cloudInverse = relationships(
    ModelRuleCode(
      text: "cloudkit-missing-inverse", severity: .error,
      meaning: "CloudKit mirroring requires that every relationship has an inverse.",
      remedy: "Give it an inverse.")
  ) { $1.inverse(of: $0) == nil }

  static let cloudRequiredRelationship = relationships(
    ModelRuleCode(
      text: "cloudkit-required-relationship", severity: .error,
      meaning: """
        CloudKit mirroring requires that every relationship is optional: objects arrive one by one, in \
        any order.
        """,
      remedy: "Make it optional, and let the app handle nil for a while.")
  ) { relationship, _ in !relationship.isOptional }

  static let cloudDeny = relationships(
    ModelRuleCode(
      text: "cloudkit-deny-delete-rule", severity: .error,
      meaning: "CloudKit mirroring does not support the delete rule Deny.",
      remedy: "Use Nullify or Cascade.")
  ) { relationship, _ in relationship.deleteRule == .deny }

  static let cloudOrdered = relationships(
    ModelRuleCode(
      text: "cloudkit-ordered-relationship", severity: .error,
      meaning: "CloudKit mirroring does not support ordered relationships.",
      remedy: "Make it unordered, and give the destination an attribute to sort by.")
  ) { relationship, _ in relationship.isOrdered }
}
