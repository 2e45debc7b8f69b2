extension ModelDecoder {
  /// The bits of `NSFlagsKey`.
  enum AttributeFlags {
    static let allowsExternalBinaryDataStorage = 4
    static let preservesValueInHistoryOnDeletion = 16
  }

  /// The properties of one entity by kind.
  struct PropertyList {
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    var fetched: [FetchedPropertyDescription] = []
  }

  /// Decodes a property; a proxy represents a property that is described elsewhere.
  mutating func decode(
    _ node: KeyedArchive.Node, name: Name, entity: Name, into list: inout PropertyList
  ) throws(CofferError) {
    do throws(CofferError) {
      var property = node
      if try archive.isKind(node, of: "_NSPropertyDescriptionProxy") {
        guard let underlying = try archive.node("NSUnderlyingProperty", of: node) else {
          throw CofferError(.damagedModel, detail: "a property placeholder without a property")
        }
        property = underlying
      }
      if try archive.isKind(property, of: "NSAttributeDescription") {
        list.attributes.append(try attribute(property, name: name, depth: 0))
      } else if try archive.isKind(property, of: "NSRelationshipDescription") {
        list.relationships.append(try relationship(property, name: name))
      } else if try archive.isKind(property, of: "NSFetchedPropertyDescription") {
        list.fetched.append(try fetchedProperty(property, name: name))
      } else if try !archive.isKind(property, of: "NSExpressionDescription") {
        throw CofferError(.damagedModel, detail: "a property of an unknown class")
      }
    } catch {
      throw error.place.item == nil ? error.within("\(entity).\(name)") : error
    }
  }

  private mutating func attribute(
    _ node: KeyedArchive.Node, name: Name, depth: Int
  ) throws(CofferError) -> AttributeDescription {
    try check(depth: depth)
    let flags = try integer("NSFlagsKey", of: node) ?? 0
    return AttributeDescription(
      name: name,
      type: AttributeType(rawValue: try integer("NSAttributeType", of: node) ?? 0),
      isOptional: try bool("NSIsOptional", of: node),
      isTransient: try bool("NSIsTransient", of: node),
      isReadOnly: try bool("NSIsReadOnly", of: node),
      isIndexed: try bool("NSIsIndexed", of: node),
      isIndexedBySpotlight: try bool("NSIndexedBySpotlight", of: node),
      defaultValue: try value("NSDefaultValue", of: node),
      valueClassName: try self.name("NSAttributeValueClassName", of: node),
      valueTransformerName: try self.name("NSValueTransformerName", of: node),
      allowsExternalBinaryDataStorage: flags & AttributeFlags.allowsExternalBinaryDataStorage != 0,
      preservesValueInHistoryOnDeletion:
        flags & AttributeFlags.preservesValueInHistoryOnDeletion != 0,
      allowsCloudEncryption: try bool("NSAllowsCloudEncryption", of: node),
      validationPredicates: try validationPredicates(of: node),
      derivation: try derivation(of: node),
      elements: try compositeElements(of: node, depth: depth),
      renamingIdentifier: try renamingIdentifier(of: node, name: name),
      versionHashModifier: try self.name("NSVersionHashModifier", of: node),
      userInfo: try userInfo(of: node))
  }

  private mutating func compositeElements(
    of node: KeyedArchive.Node, depth: Int
  ) throws(CofferError) -> [AttributeDescription] {
    var list = try elements("NSCompositeElements", of: node)
    if list.isEmpty { list = try elements("NSElements", of: node) }
    var attributes: [AttributeDescription] = []
    for element in list {
      guard let name = try self.name("NSPropertyName", of: element) else {
        throw CofferError(
          .damagedModel, detail: "an element of a composite attribute without a name")
      }
      attributes.append(try attribute(element, name: name, depth: depth + 1))
    }
    return attributes
  }

  private mutating func derivation(of node: KeyedArchive.Node) throws(CofferError) -> Derivation? {
    guard try archive.isKind(node, of: "NSDerivedAttributeDescription") else { return nil }
    var expression = ModelExpression.constant(nil)
    if let archived = try archive.node("NSDerivationExpression", of: node) {
      expression = try self.expression(archived, depth: 0)
    }
    var filter: ModelPredicate?
    if let archived = try archive.node("NSFilteringPredicate", of: node) {
      filter = try predicate(archived, depth: 0)
    }
    return Derivation(expression: expression, filteringPredicate: filter)
  }

  private mutating func relationship(
    _ node: KeyedArchive.Node, name: Name
  ) throws(CofferError) -> RelationshipDescription {
    guard
      let destination = try nameOrNameOfTarget(
        "_NSDestinationEntityName", "NSDestinationEntity", "NSEntityName", of: node)
    else { throw CofferError(.damagedModel, detail: "a relationship without a destination") }
    let ruleNumber = try integer("NSDeleteRule", of: node) ?? 0
    guard let rule = DeleteRule(rawValue: ruleNumber) else {
      throw CofferError(.damagedModel, detail: "the unknown delete rule \(ruleNumber)")
    }
    return RelationshipDescription(
      name: name,
      destinationName: destination,
      inverseName: try nameOrNameOfTarget(
        "_NSInverseRelationshipName", "NSInverseRelationship", "NSPropertyName", of: node),
      minCount: try integer("NSMinCount", of: node) ?? 0,
      maxCount: try integer("NSMaxCount", of: node) ?? 0,
      isOrdered: try bool("NSIsOrdered", of: node),
      isOptional: try bool("NSIsOptional", of: node),
      isTransient: try bool("NSIsTransient", of: node),
      deleteRule: rule,
      isIndexedBySpotlight: try bool("NSIndexedBySpotlight", of: node),
      isIndexed: try bool("NSIsIndexed", of: node),
      isReadOnly: try bool("NSIsReadOnly", of: node),
      validationPredicates: try validationPredicates(of: node),
      renamingIdentifier: try renamingIdentifier(of: node, name: name),
      versionHashModifier: try self.name("NSVersionHashModifier", of: node),
      userInfo: try userInfo(of: node))
  }

  /// The name of the target of a reference, from its own field or from the target itself.
  private mutating func nameOrNameOfTarget(
    _ nameField: String, _ field: String, _ targetNameField: String, of node: KeyedArchive.Node
  ) throws(CofferError) -> Name? {
    if let name = try self.name(nameField, of: node) { return name }
    guard let target = try archive.node(field, of: node) else { return nil }
    return try self.name(targetNameField, of: target)
  }

  private mutating func fetchedProperty(
    _ node: KeyedArchive.Node, name: Name
  ) throws(CofferError) -> FetchedPropertyDescription {
    var property = FetchedPropertyDescription(
      name: name,
      fetchedEntityName: try self.name("_NSFetchRequestEntityName", of: node),
      isOptional: try bool("NSIsOptional", of: node),
      renamingIdentifier: try renamingIdentifier(of: node, name: name),
      versionHashModifier: try self.name("NSVersionHashModifier", of: node),
      userInfo: try userInfo(of: node))
    guard let request = try archive.node("NSFetchRequest", of: node) else { return property }
    if property.fetchedEntityName == nil, let entity = try archive.node("NSEntity", of: request) {
      property.fetchedEntityName = try self.name("NSEntityName", of: entity)
    }
    property.fetchLimit = try integer("NSFetchLimit", of: request) ?? 0
    if let archived = try archive.node("NSPredicate", of: request) {
      property.predicate = try predicate(archived, depth: 0)
    }
    for descriptor in try elements("NSSortDescriptors", of: request) {
      property.sortDescriptors.append(
        .init(
          key: try self.name("NSKey", of: descriptor),
          isAscending: try bool("NSAscending", of: descriptor),
          selectorName: try self.name("NSSelector", of: descriptor)))
    }
    return property
  }

  private mutating func validationPredicates(
    of node: KeyedArchive.Node
  ) throws(CofferError) -> [ValidationPredicate] {
    let predicates = try elements("NSValidationPredicates", of: node)
    guard !predicates.isEmpty else { return [] }
    let warnings = try elements("NSValidationWarnings", of: node)
    var rules: [ValidationPredicate] = []
    for (position, archived) in predicates.enumerated() {
      var warning: ModelValue?
      if position < warnings.count {
        let value = try archive.value(of: warnings[position])
        warning = value == .null ? nil : value
      }
      rules.append(
        ValidationPredicate(predicate: try predicate(archived, depth: 0), warning: warning))
    }
    return rules
  }
}
