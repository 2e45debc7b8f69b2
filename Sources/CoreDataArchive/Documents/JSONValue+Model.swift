internal import CoreDataModel

extension JSONValue {
  init(_ entity: EntityDescription) {
    var object = JSONObject()
    object.append("name", entity.name)
    object.append("className", entity.className)
    object.append("isAbstract", entity.isAbstract)
    object.append("superentity", entity.superentityName)
    object.append("attributes", entity.attributes) { JSONValue($0) }
    object.append("relationships", entity.relationships) { JSONValue($0) }
    object.append("fetchedProperties", entity.fetchedProperties) { JSONValue($0) }
    object.append("uniquenessConstraints", entity.uniquenessConstraints) { .names($0) }
    object.append("compoundIndexes", entity.compoundIndexes) { .names($0) }
    object.append("fetchIndexes", entity.fetchIndexes) { JSONValue($0) }
    object.appendShared(
      renaming: entity.renamingIdentifier, modifier: entity.versionHashModifier,
      userInfo: entity.userInfo)
    self = .object(object)
  }

  init(_ attribute: AttributeDescription) {
    var object = JSONObject()
    object.append("name", attribute.name)
    object.append("type", attribute.type.name)
    object.append("isOptional", attribute.isOptional, unless: true)
    object.append("isTransient", attribute.isTransient)
    object.append("isReadOnly", attribute.isReadOnly)
    object.append("isIndexed", attribute.isIndexed)
    object.append("isIndexedBySpotlight", attribute.isIndexedBySpotlight)
    object.append("defaultValue", attribute.defaultValue.map { JSONValue($0) })
    object.append("valueClassName", attribute.valueClassName)
    object.append("valueTransformerName", attribute.valueTransformerName)
    object.append("allowsExternalBinaryDataStorage", attribute.allowsExternalBinaryDataStorage)
    object.append("preservesValueInHistoryOnDeletion", attribute.preservesValueInHistoryOnDeletion)
    object.append("allowsCloudEncryption", attribute.allowsCloudEncryption)
    object.append("validationPredicates", attribute.validationPredicates) { JSONValue($0) }
    object.append("derivation", attribute.derivation.map { JSONValue($0) })
    object.append("elements", attribute.elements) { JSONValue($0) }
    object.appendShared(
      renaming: attribute.renamingIdentifier, modifier: attribute.versionHashModifier,
      userInfo: attribute.userInfo)
    self = .object(object)
  }

  init(_ relationship: RelationshipDescription) {
    var object = JSONObject()
    object.append("name", relationship.name)
    object.append("destination", relationship.destinationName)
    object.append("inverse", relationship.inverseName)
    object.append("minCount", relationship.minCount, unless: 0)
    object.append("maxCount", relationship.maxCount, unless: 1)
    object.append("isOrdered", relationship.isOrdered)
    object.append("isOptional", relationship.isOptional, unless: true)
    object.append("isTransient", relationship.isTransient)
    if relationship.deleteRule != .nullify {
      object.append("deleteRule", relationship.deleteRule.name)
    }
    object.append("isReadOnly", relationship.isReadOnly)
    object.append("isIndexed", relationship.isIndexed)
    object.append("isIndexedBySpotlight", relationship.isIndexedBySpotlight)
    object.append("validationPredicates", relationship.validationPredicates) { JSONValue($0) }
    object.appendShared(
      renaming: relationship.renamingIdentifier, modifier: relationship.versionHashModifier,
      userInfo: relationship.userInfo)
    self = .object(object)
  }

  private init(_ property: FetchedPropertyDescription) {
    var object = JSONObject()
    object.append("name", property.name)
    object.append("fetchedEntity", property.fetchedEntityName)
    object.append("predicate", property.predicate.map { JSONValue($0) })
    object.append("sortDescriptors", property.sortDescriptors) { JSONValue($0) }
    object.append("fetchLimit", property.fetchLimit, unless: 0)
    object.append("isOptional", property.isOptional, unless: true)
    object.appendShared(
      renaming: property.renamingIdentifier, modifier: property.versionHashModifier,
      userInfo: property.userInfo)
    self = .object(object)
  }

  private init(_ descriptor: FetchedPropertyDescription.SortDescriptor) {
    var object = JSONObject()
    object.append("key", descriptor.key)
    object.append("isAscending", descriptor.isAscending, unless: true)
    if descriptor.selectorName != "compare:" {
      // Absent is the usual selector, null is none.
      object.append("selectorName", descriptor.selectorName.map { .string($0.text) } ?? .null)
    }
    self = .object(object)
  }

  private init(_ index: FetchIndexDescription) {
    var object = JSONObject()
    object.append("name", index.name)
    object.append("elements", index.elements) { JSONValue($0) }
    object.append("partialIndexPredicate", index.partialIndexPredicate.map { JSONValue($0) })
    self = .object(object)
  }

  private init(_ element: FetchIndexDescription.Element) {
    var object = JSONObject()
    object.append("property", element.propertyName)
    object.append("expression", element.expression.map { JSONValue($0) })
    object.append("isAscending", element.isAscending, unless: true)
    object.append("kind", element.kind, unless: 0)
    self = .object(object)
  }

  private init(_ rule: ValidationPredicate) {
    var object = JSONObject()
    object.append("predicate", JSONValue(rule.predicate))
    object.append("warning", rule.warning.map { JSONValue($0) })
    self = .object(object)
  }

  private init(_ derivation: Derivation) {
    var object = JSONObject()
    object.append("expression", JSONValue(derivation.expression))
    object.append("filteringPredicate", derivation.filteringPredicate.map { JSONValue($0) })
    self = .object(object)
  }
}

extension JSONObject {
  /// Appends the common members of entities, attributes and relationships.
  fileprivate mutating func appendShared(
    renaming: Name?, modifier: Name?, userInfo: [Name: ModelValue]
  ) {
    append("renamingIdentifier", renaming)
    append("versionHashModifier", modifier)
    if !userInfo.isEmpty { append("userInfo", JSONValue(userInfo)) }
  }
}
