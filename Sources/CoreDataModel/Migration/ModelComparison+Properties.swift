extension ModelComparison {
  /// A property that an entity declares.
  enum Property {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
    case fetched(FetchedPropertyDescription)

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

  mutating func compare(
    _ old: AttributeDescription, _ new: AttributeDescription, _ entity: Name, _ name: Name
  ) {
    compare(.type, entity, name, old.type.name, new.type.name)
    compare(.optional, entity, name, old.isOptional, new.isOptional)
    compare(.transient, entity, name, old.isTransient, new.isTransient)
    compare(.readOnly, entity, name, old.isReadOnly, new.isReadOnly)
    if !haveIndex(old.name, new.name) {
      compare(.indexed, entity, name, old.isIndexed, new.isIndexed)
    }
    compare(.spotlight, entity, name, old.isIndexedBySpotlight, new.isIndexedBySpotlight)
    if !Self.hasSameDefault(old, new) {
      // Two forms of one value have one text.
      let isForm = old.defaultText == new.defaultText
      func text(_ attribute: AttributeDescription) -> String {
        (isForm ? attribute.defaultValue?.formatDescription : attribute.defaultText) ?? "none"
      }
      note(.changed, entity, name, .defaultValue, old: text(old), new: text(new))
    }
    compare(.valueClass, entity, name, old.valueClassName?.text, new.valueClassName?.text)
    compare(
      .transformer, entity, name, old.valueTransformerName?.text, new.valueTransformerName?.text)
    compare(
      .externalStorage, entity, name, old.allowsExternalBinaryDataStorage,
      new.allowsExternalBinaryDataStorage)
    compare(
      .preservesValue, entity, name, old.preservesValueInHistoryOnDeletion,
      new.preservesValueInHistoryOnDeletion)
    compare(.cloudEncryption, entity, name, old.allowsCloudEncryption, new.allowsCloudEncryption)
    compareRules(entity, name, old.validationPredicates, new.validationPredicates)
    if old.derivation != new.derivation {
      note(
        .changed, entity, name, .derivation, old: Self.text(old.derivation),
        new: Self.text(new.derivation))
    }
    compareElements(old.elements, new.elements, entity, name)
    compareCommon(
      entity, name, (old.renamingIdentifier, old.versionHashModifier, old.userInfo),
      (new.renamingIdentifier, new.versionHashModifier, new.userInfo))
  }

  mutating func compare(
    _ old: RelationshipDescription, _ new: RelationshipDescription, _ entity: Name,
    _ name: Name
  ) {
    if newName(of: old.destinationName) != new.destinationName {
      compare(.destination, entity, name, old.destinationName.text, new.destinationName.text)
    }
    compare(.inverse, entity, name, old.inverseName?.text, new.inverseName?.text)
    if (old.minCount, old.maxCount) != (new.minCount, new.maxCount) {
      note(.changed, entity, name, .count, old: Self.count(old), new: Self.count(new))
    }
    compare(.ordered, entity, name, old.isOrdered, new.isOrdered)
    compare(.optional, entity, name, old.isOptional, new.isOptional)
    compare(.transient, entity, name, old.isTransient, new.isTransient)
    compare(.readOnly, entity, name, old.isReadOnly, new.isReadOnly)
    if !haveIndex(old.name, new.name) {
      compare(.indexed, entity, name, old.isIndexed, new.isIndexed)
    }
    compare(.spotlight, entity, name, old.isIndexedBySpotlight, new.isIndexedBySpotlight)
    compare(.deleteRule, entity, name, old.deleteRule.name, new.deleteRule.name)
    compareRules(entity, name, old.validationPredicates, new.validationPredicates)
    compareCommon(
      entity, name, (old.renamingIdentifier, old.versionHashModifier, old.userInfo),
      (new.renamingIdentifier, new.versionHashModifier, new.userInfo))
  }

  mutating func compare(
    _ old: FetchedPropertyDescription, _ new: FetchedPropertyDescription, _ entity: Name,
    _ name: Name
  ) {
    compare(.optional, entity, name, old.isOptional, new.isOptional)
    let isSameRequest =
      (old.fetchedEntityName, old.fetchLimit) == (new.fetchedEntityName, new.fetchLimit)
      && old.predicate == new.predicate && old.sortDescriptors == new.sortDescriptors
    if !isSameRequest {
      note(.changed, entity, name, .request, old: Self.text(old), new: Self.text(new))
    }
    compareCommon(
      entity, name, (old.renamingIdentifier, old.versionHashModifier, old.userInfo),
      (new.renamingIdentifier, new.versionHashModifier, new.userInfo))
  }

  /// Whether two attributes have the same default, or different forms of one: a compiler may write a Boolean
  /// as a number.
  private static func hasSameDefault(
    _ old: AttributeDescription, _ new: AttributeDescription
  ) -> Bool {
    if old.defaultValue == new.defaultValue { return true }
    guard old.type == new.type, let stored = AttributeDefault(old) else { return false }
    return stored == AttributeDefault(new)
  }

  /// Compares the fields that all kinds of properties have.
  private mutating func compareCommon(
    _ entity: Name, _ name: Name, _ old: (Name?, Name?, [Name: ModelValue]),
    _ new: (Name?, Name?, [Name: ModelValue])
  ) {
    compare(.renamingIdentifier, entity, name, old.0?.text, new.0?.text)
    compare(.versionHashModifier, entity, name, old.1?.text, new.1?.text)
    compareUserInfo(entity, name, old.2, new.2)
  }

  /// Compares the elements of a composite attribute, each under the attribute's name, a dot and its own.
  private mutating func compareElements(
    _ old: [AttributeDescription], _ new: [AttributeDescription], _ entity: Name, _ name: Name
  ) {
    guard old != new else { return }
    let before = Dictionary(old.map { (Name($0.name.text), $0) }) { first, _ in first }
    let after = Dictionary(new.map { (Name($0.name.text), $0) }) { first, _ in first }
    for element in Set(before.keys).union(after.keys).sorted() {
      switch (before[element], after[element]) {
      case (let before?, let after?): compare(before, after, entity, "\(name).\(element)")
      case (let before, let after):
        note(
          before == nil ? .added : .removed, entity, name, .elements, old: before?.name.text,
          new: after?.name.text)
      }
    }
  }

  private mutating func compareRules(
    _ entity: Name, _ name: Name, _ old: [ValidationPredicate], _ new: [ValidationPredicate]
  ) {
    guard old != new else { return }
    note(.changed, entity, name, .validation, old: Self.text(old), new: Self.text(new))
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

  private static func text(_ property: FetchedPropertyDescription) -> String {
    let predicate = property.predicate.map { " where \($0.formatDescription)" } ?? ""
    let order = property.sortDescriptors.map { descriptor in
      (descriptor.key?.text ?? "self") + (descriptor.isAscending ? "" : " descending")
    }
    let sorted = order.isEmpty ? "" : " by \(order.joined(separator: ", "))"
    let limit = property.fetchLimit > 0 ? " up to \(property.fetchLimit)" : ""
    return (property.fetchedEntityName?.text ?? "?") + predicate + sorted + limit
  }

  /// The number of destinations, such as `to-one`, `to-many`, `to-many, 1 to 10`.
  private static func count(_ relationship: RelationshipDescription) -> String {
    let (least, most) = (relationship.minCount, relationship.maxCount)
    guard relationship.isToMany else { return least > 0 ? "to-one, at least \(least)" : "to-one" }
    if least == 0, most <= 0 { return "to-many" }
    return most > 0 ? "to-many, \(least) to \(most)" : "to-many, at least \(least)"
  }
}
