extension MappingInference {
  /// The properties of an entity that both models have; their changes are filled in later.
  mutating func mapProperties(
    from old: Name, to new: Name
  ) throws(CofferError) -> [PropertyMapping] {
    let before = try storedProperties(of: old, in: source)
    let after = try storedProperties(of: new, in: destination)
    let matching = IdentifierMatching(
      from: before.values.map { .init(name: $0.name, renamingIdentifier: $0.renamingIdentifier) },
      to: after.values.map { .init(name: $0.name, renamingIdentifier: $0.renamingIdentifier) })
    var mappings: [PropertyMapping] = []
    var used: Set<Name> = []
    for name in after.keys.sorted() {
      guard let property = after[name] else { continue }
      var mapping = PropertyMapping(
        kind: property.kind, source: nil,
        destination: PropertyReference(entity: property.declaredBy, property: name), changes: [])
      if let oldName = matching.sources[name], let found = before[oldName] {
        used.insert(oldName)
        mapping.source = PropertyReference(entity: found.declaredBy, property: oldName)
        if found.kind != property.kind { noteChangedKind(found, property) }
      } else if let oldName = matching.ambiguous[name] {
        noteAmbiguity(property, oldName)
      }
      mappings.append(mapping)
    }
    for name in before.keys.sorted() where !used.contains(name) {
      guard let property = before[name] else { continue }
      mappings.append(
        PropertyMapping(
          kind: property.kind,
          source: PropertyReference(entity: property.declaredBy, property: name), destination: nil,
          changes: []))
    }
    return mappings
  }

  private struct StoredProperty {
    var name: Name
    var declaredBy: Name
    var kind: PropertyMapping.Kind
    var renamingIdentifier: Name?
  }

  /// The stored properties of an entity by name, including inherited ones.
  private mutating func storedProperties(
    of entity: Name, in model: ManagedObjectModel
  ) throws(CofferError) -> [Name: StoredProperty] {
    var found: [Name: StoredProperty] = [:]
    for declarer in model.lineage(of: entity) {
      try spend(1 + declarer.attributes.count + declarer.relationships.count)
      for attribute in declarer.attributes where !attribute.isTransient {
        guard found[attribute.name] == nil else { continue }
        found[attribute.name] = StoredProperty(
          name: attribute.name, declaredBy: declarer.name, kind: .attribute,
          renamingIdentifier: attribute.renamingIdentifier)
      }
      for relationship in declarer.relationships where !relationship.isTransient {
        guard found[relationship.name] == nil else { continue }
        found[relationship.name] = StoredProperty(
          name: relationship.name, declaredBy: declarer.name, kind: .relationship,
          renamingIdentifier: relationship.renamingIdentifier)
      }
    }
    return found
  }

  private mutating func noteChangedKind(_ old: StoredProperty, _ new: StoredProperty) {
    note(
      .changedKind, entity: new.declaredBy, property: new.name,
      "it was \(Self.article(old.kind)) and is now \(Self.article(new.kind))",
      remedy: .sentence(
        "Give the new one its own name and renaming identifier. The old values are "
          + "then not carried over."))
  }

  private mutating func noteAmbiguity(_ property: StoredProperty, _ oldName: Name) {
    note(
      .ambiguousRenaming, entity: property.declaredBy, property: property.name,
      "its renaming identifier names \(oldName), which another property of the new model already "
        + "maps to",
      remedy: "Give the renaming identifier only to the property that takes over the values.")
  }

  private static func article(_ kind: PropertyMapping.Kind) -> String {
    kind == .attribute ? "an attribute" : "a relationship"
  }

  /// Whether a property has moved, not counting the renaming of its entity.
  func hasMoved(_ mapping: PropertyMapping) -> Bool {
    guard let old = mapping.source, let new = mapping.destination else { return false }
    return destinationNames[old.entity] != new.entity
  }

  // MARK: Attributes

  /// Maps an attribute, and records the problems that make this impossible.
  mutating func attributeChanges(_ mapping: PropertyMapping) -> [PropertyMapping.Change] {
    guard let place = mapping.destination,
      let new = destination[place.entity]?.attribute(place.property)
    else { return [] }
    guard let oldPlace = mapping.source else {
      checkAdded(new, at: place, path: [])
      return []
    }
    guard let old = source[oldPlace.entity]?.attribute(oldPlace.property) else { return [] }
    var changes: [PropertyMapping.Change] = []
    if oldPlace.property != place.property { changes.append(.renamed) }
    if hasMoved(mapping) { changes.append(.moved) }
    checkDerivation(old, new, at: place)
    if old.type != new.type { changes.append(.converted(from: old.type, to: new.type)) }
    checkType(old, new, at: place)
    if old.isOptional, !new.isOptional {
      changes.append(.madeRequired)
      if !new.isComposite, AttributeDefault(new) == nil, !new.isDerived {
        noteMissingDefault(
          new, at: place, "it was optional and is now required, but has no default value")
      }
    }
    if !old.isOptional, new.isOptional { changes.append(.madeOptional) }
    if old.allowsExternalBinaryDataStorage != new.allowsExternalBinaryDataStorage {
      changes.append(
        new.allowsExternalBinaryDataStorage
          ? .allowedExternalStorage : .disallowedExternalStorage)
    }
    return changes
  }

  /// A new required attribute needs a value.
  private mutating func checkAdded(
    _ attribute: AttributeDescription, at place: PropertyReference, path: [Name]
  ) {
    if attribute.isDerived {
      note(
        .changedDerivation, entity: place.entity, property: place.property,
        "it is new and derived, and only Core Data computes derived values",
        remedy: "Migrate in the app.")
      return
    }
    if attribute.isComposite {
      for element in attribute.elements {
        checkAdded(element, at: place, path: path + [element.name])
      }
      return
    }
    guard !attribute.isOptional, AttributeDefault(attribute) == nil else { return }
    let name = path.isEmpty ? "it" : "its element \(path.joined(separator: "."))"
    noteMissingDefault(
      attribute, at: place, "\(name) is new and required, but has no default value")
  }

  private mutating func noteMissingDefault(
    _ attribute: AttributeDescription, at place: PropertyReference, _ sentence: String
  ) {
    let reason = attribute.defaultValue == nil ? "" : " that can be stored without the app"
    note(
      .missingDefault, entity: place.entity, property: place.property, sentence + reason,
      remedy: "Give it a default value in the new model, or make it optional.")
  }

  private mutating func checkDerivation(
    _ old: AttributeDescription, _ new: AttributeDescription, at place: PropertyReference
  ) {
    guard new.isDerived, old.derivation != new.derivation else { return }
    note(
      .changedDerivation, entity: place.entity, property: place.property,
      "its derivation changed, and only Core Data computes derived values",
      remedy: "Migrate in the app.")
  }

  private mutating func checkType(
    _ old: AttributeDescription, _ new: AttributeDescription, at place: PropertyReference
  ) {
    if old.isComposite || new.isComposite {
      guard old.isComposite != new.isComposite || !Self.haveSameElements(old, new) else { return }
      note(
        .changedElements, entity: place.entity, property: place.property,
        "the elements of the composite attribute have changed",
        remedy: .sentence(
          "Give the new attribute its own name and renaming identifier. The "
            + "old values are then not carried over."))
      return
    }
    switch AttributeConversion(from: old.type, to: new.type) {
    case .some(.none): break
    case .range(let range):
      require(MappingCondition(.range(range), entity: place.entity, property: place.property))
    case nil:
      note(
        .changedType, entity: place.entity, property: place.property,
        "it was \(old.type.name) and is now \(new.type.name), and no conversion exists between "
          + "them",
        remedy: .sentence(
          "Give the new attribute its own name and renaming identifier. The "
            + "old values are then not carried over. A mapping in the app can convert them."))
    }
  }

  /// Whether two composite attributes are stored in the same way.
  private static func haveSameElements(
    _ old: AttributeDescription, _ new: AttributeDescription
  ) -> Bool {
    old.isComposite == new.isComposite && old.type == new.type
      && old.elements.count == new.elements.count
      && zip(old.elements, new.elements).allSatisfy { first, second in
        first.name == second.name && haveSameElements(first, second)
          && (first.isOptional == second.isOptional || second.isOptional
            || AttributeDefault(second) != nil)
      }
  }
}
