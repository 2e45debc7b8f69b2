extension ModelComparison {
  /// A property that an entity declares.
  enum Property {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
    case fetched(FetchedPropertyDescription)

    /// What it is.
    var words: String {
      switch self {
      case .attribute: "attribute"
      case .relationship: "relationship"
      case .fetched: "fetched property"
      }
    }

    /// Its name and its renaming identifier.
    var item: IdentifierMatching.Item {
      switch self {
      case .attribute(let property):
        .init(name: property.name, renamingIdentifier: property.renamingIdentifier)
      case .relationship(let property):
        .init(name: property.name, renamingIdentifier: property.renamingIdentifier)
      case .fetched(let property):
        .init(name: property.name, renamingIdentifier: property.renamingIdentifier)
      }
    }
  }

  static func properties(of entity: EntityDescription) -> [ExactString: Property] {
    var properties: [ExactString: Property] = [:]
    for property in entity.fetchedProperties { properties[property.name] = .fetched(property) }
    for property in entity.relationships { properties[property.name] = .relationship(property) }
    for property in entity.attributes { properties[property.name] = .attribute(property) }
    return properties
  }

  mutating func compare(
    _ old: AttributeDescription, _ new: AttributeDescription, _ entity: String, _ name: String
  ) {
    compare(.type, entity, name, old.type.name, new.type.name)
    compare(.optional, entity, name, old.isOptional, new.isOptional)
    compare(.transient, entity, name, old.isTransient, new.isTransient)
    compare(.readOnly, entity, name, old.isReadOnly, new.isReadOnly)
    compare(.indexed, entity, name, old.isIndexed, new.isIndexed)
    compare(.spotlight, entity, name, old.isIndexedBySpotlight, new.isIndexedBySpotlight)
    if old.defaultValue != new.defaultValue {
      compare(
        .defaultValue, entity, name, old.defaultValue?.formatDescription ?? "none",
        new.defaultValue?.formatDescription ?? "none")
    }
    compare(.valueClass, entity, name, old.valueClassName, new.valueClassName)
    compare(.transformer, entity, name, old.valueTransformerName, new.valueTransformerName)
    compare(
      .externalStorage, entity, name, old.allowsExternalBinaryDataStorage,
      new.allowsExternalBinaryDataStorage)
    compare(
      .preservesValue, entity, name, old.preservesValueInHistoryOnDeletion,
      new.preservesValueInHistoryOnDeletion)
    compare(.cloudEncryption, entity, name, old.allowsCloudEncryption, new.allowsCloudEncryption)
    compareRules(entity, name, old.validationPredicates, new.validationPredicates)
    if old.derivation != new.derivation {
      compare(.derivation, entity, name, Self.text(old.derivation), Self.text(new.derivation))
    }
    if old.elements != new.elements {
      compare(.elements, entity, name, Self.text(old.elements), Self.text(new.elements))
    }
    compareCommon(
      entity, name, (old.renamingIdentifier, old.versionHashModifier, old.userInfo),
      (new.renamingIdentifier, new.versionHashModifier, new.userInfo))
  }

  mutating func compare(
    _ old: RelationshipDescription, _ new: RelationshipDescription, _ entity: String,
    _ name: String
  ) {
    let destination =
      mapping.mapping(from: old.destinationName)?.destinationName ?? old.destinationName
    if destination != new.destinationName {
      compare(.destination, entity, name, old.destinationName, new.destinationName)
    }
    compare(.inverse, entity, name, old.inverseName, new.inverseName)
    compare(.count, entity, name, Self.count(old), Self.count(new))
    compare(.ordered, entity, name, old.isOrdered, new.isOrdered)
    compare(.optional, entity, name, old.isOptional, new.isOptional)
    compare(.transient, entity, name, old.isTransient, new.isTransient)
    compare(.readOnly, entity, name, old.isReadOnly, new.isReadOnly)
    compare(.indexed, entity, name, old.isIndexed, new.isIndexed)
    compare(.spotlight, entity, name, old.isIndexedBySpotlight, new.isIndexedBySpotlight)
    compare(.deleteRule, entity, name, old.deleteRule.name, new.deleteRule.name)
    compareRules(entity, name, old.validationPredicates, new.validationPredicates)
    compareCommon(
      entity, name, (old.renamingIdentifier, old.versionHashModifier, old.userInfo),
      (new.renamingIdentifier, new.versionHashModifier, new.userInfo))
  }

  mutating func compare(
    _ old: FetchedPropertyDescription, _ new: FetchedPropertyDescription, _ entity: String,
    _ name: String
  ) {
    compare(.optional, entity, name, old.isOptional, new.isOptional)
    compare(.request, entity, name, Self.text(old), Self.text(new))
    compareCommon(
      entity, name, (old.renamingIdentifier, old.versionHashModifier, old.userInfo),
      (new.renamingIdentifier, new.versionHashModifier, new.userInfo))
  }

  /// What all properties have.
  private mutating func compareCommon(
    _ entity: String, _ name: String, _ old: (String?, String?, [ExactString: ModelValue]),
    _ new: (String?, String?, [ExactString: ModelValue])
  ) {
    compare(.renamingIdentifier, entity, name, old.0, new.0)
    compare(.versionHashModifier, entity, name, old.1, new.1)
    compareUserInfo(entity, name, old.2, new.2)
  }

  private mutating func compareRules(
    _ entity: String, _ name: String, _ old: [ValidationPredicate], _ new: [ValidationPredicate]
  ) {
    guard old != new else { return }
    compare(.validation, entity, name, Self.text(old), Self.text(new))
  }

  private static func text(_ rules: [ValidationPredicate]) -> String {
    rules.isEmpty
      ? "none" : rules.map(\.predicate.formatDescription).joined(separator: " and ")
  }

  private static func text(_ derivation: Derivation?) -> String {
    guard let derivation else { return "none" }
    let filter = derivation.filteringPredicate.map { " where \($0.formatDescription)" } ?? ""
    return derivation.expression.formatDescription + filter
  }

  private static func text(_ elements: [AttributeDescription]) -> String {
    elements.map { "\($0.name): \($0.type.name)" }.joined(separator: ", ")
  }

  private static func text(_ property: FetchedPropertyDescription) -> String {
    let predicate = property.predicate.map { " where \($0.formatDescription)" } ?? ""
    let order = property.sortDescriptors.map { descriptor in
      (descriptor.key ?? "self") + (descriptor.isAscending ? "" : " descending")
    }
    let sorted = order.isEmpty ? "" : " by \(order.joined(separator: ", "))"
    let limit = property.fetchLimit > 0 ? " up to \(property.fetchLimit)" : ""
    return (property.fetchedEntityName ?? "?") + predicate + sorted + limit
  }

  /// The number of destinations, such as `to-one`, `to-many`, `to-many, 1 to 10`.
  private static func count(_ relationship: RelationshipDescription) -> String {
    guard relationship.isToMany else { return "to-one" }
    let (least, most) = (relationship.minCount, relationship.maxCount)
    if least == 0, most <= 0 { return "to-many" }
    return most > 0 ? "to-many, \(least) to \(most)" : "to-many, at least \(least)"
  }
}
