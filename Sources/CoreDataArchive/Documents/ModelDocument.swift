package import CoreDataModel

/// The document `model.json`: a managed object model with the version hashes of its entities.
///
/// Members with their default value are omitted; see the initializers of the model's types for the
/// defaults. Reading the written document gives an equal model.
package struct ModelDocument: Sendable, Equatable {
  /// The model.
  package var model: ManagedObjectModel
  /// The version hashes by the names of the entities; empty when they are not known.
  package var versionHashes: [Name: VersionHash]

  /// Creates the document of a model.
  package init(model: ManagedObjectModel, versionHashes: [Name: VersionHash] = [:]) {
    self.model = model
    self.versionHashes = versionHashes
  }

  /// Reads a document.
  ///
  /// Members that are not known are ignored.
  ///
  /// - Throws: ``DocumentError`` with the path of a value that has the wrong type or is missing.
  package init(_ value: JSONValue) throws(DocumentError) {
    let root = DocumentNode(value, name: ArchiveEntryName.model)
    var entities: [EntityDescription] = []
    for node in try root.required("entities").elements() { entities.append(try node.entity()) }
    var configurations: [Name: [Name]] = [:]
    for (name, node) in try root.optional("configurations")?.members() ?? [] {
      configurations[Name(name)] = try node.names()
    }
    var hashes: [Name: VersionHash] = [:]
    for (name, node) in try root.optional("versionHashes")?.members() ?? [] {
      hashes[Name(name)] = VersionHash(bytes: try node.base64())
    }
    let sourceNode = try root.required("source")
    guard let source = ModelSource(rawValue: try sourceNode.string()) else {
      throw sourceNode.error("a known source")
    }
    model = ManagedObjectModel(
      entities: entities,
      versionIdentifiers: try root.optional("versionIdentifiers")?.names() ?? [],
      configurations: configurations,
      fetchRequestTemplateNames: try root.optional("fetchRequestTemplates")?.names() ?? [],
      source: source)
    versionHashes = hashes
  }

  /// The document as JSON: entities by name, everything else in a fixed order.
  package var value: JSONValue {
    var object = JSONObject()
    object.append("source", model.source.rawValue)
    object.append("versionIdentifiers", model.versionIdentifiers) { .name($0) }
    object.append("entities", .array(model.entities.map { JSONValue($0) }))
    if !model.configurations.isEmpty {
      object.append("configurations", .sorted(model.configurations) { .names($0) })
    }
    object.append("fetchRequestTemplates", model.fetchRequestTemplateNames) { .name($0) }
    if !versionHashes.isEmpty {
      object.append("versionHashes", .sorted(versionHashes) { .base64($0.bytes) })
    }
    return .object(object)
  }

  /// An entity, as the document holds it.
  package static func encode(_ entity: EntityDescription) -> JSONValue { JSONValue(entity) }

  /// The document of a model and the version hashes of its entities.
  package static func encode(
    _ model: ManagedObjectModel, versionHashes: [Name: VersionHash]
  ) -> JSONValue {
    ModelDocument(model: model, versionHashes: versionHashes).value
  }
}

extension JSONValue {
  /// A dictionary with its keys in ascending order of code units.
  fileprivate static func sorted<Value>(
    _ entries: [Name: Value], _ convert: (Value) -> JSONValue
  ) -> JSONValue {
    let sorted = entries.sorted { $0.key < $1.key }
    return .object(
      JSONObject(sorted.map { JSONObject.Member(key: $0.key.text, value: convert($0.value)) }))
  }
}

extension DocumentNode {
  /// The entity, with its properties in the order of the document.
  func entity() throws(DocumentError) -> EntityDescription {
    var entity = EntityDescription(
      name: try required("name").name(),
      className: try name("className"),
      isAbstract: try flag("isAbstract"),
      superentityName: try name("superentity"),
      renamingIdentifier: try name("renamingIdentifier"),
      versionHashModifier: try name("versionHashModifier"),
      userInfo: try userInfo())
    for node in try elements("attributes") { entity.attributes.append(try node.attribute()) }
    for node in try elements("relationships") {
      entity.relationships.append(try node.relationship())
    }
    for node in try elements("fetchedProperties") {
      entity.fetchedProperties.append(try node.fetchedProperty())
    }
    for node in try elements("uniquenessConstraints") {
      entity.uniquenessConstraints.append(try node.names())
    }
    for node in try elements("compoundIndexes") {
      entity.compoundIndexes.append(try node.names())
    }
    for node in try elements("fetchIndexes") { entity.fetchIndexes.append(try node.fetchIndex()) }
    return entity
  }

  private func attribute() throws(DocumentError) -> AttributeDescription {
    let typeNode = try required("type")
    guard let type = AttributeType(name: try typeNode.name().text) else {
      throw typeNode.error("a known attribute type")
    }
    var attribute = AttributeDescription(
      name: try required("name").name(),
      type: type,
      isOptional: try flag("isOptional", default: true),
      isTransient: try flag("isTransient"),
      isReadOnly: try flag("isReadOnly"),
      isIndexed: try flag("isIndexed"),
      isIndexedBySpotlight: try flag("isIndexedBySpotlight"),
      defaultValue: try optional("defaultValue")?.modelValue(),
      valueClassName: try name("valueClassName"),
      valueTransformerName: try name("valueTransformerName"),
      allowsExternalBinaryDataStorage: try flag("allowsExternalBinaryDataStorage"),
      preservesValueInHistoryOnDeletion: try flag("preservesValueInHistoryOnDeletion"),
      allowsCloudEncryption: try flag("allowsCloudEncryption"),
      validationPredicates: try validationPredicates(),
      derivation: try optional("derivation")?.derivation(),
      renamingIdentifier: try name("renamingIdentifier"),
      versionHashModifier: try name("versionHashModifier"),
      userInfo: try userInfo())
    for node in try elements("elements") { attribute.elements.append(try node.attribute()) }
    return attribute
  }

  private func relationship() throws(DocumentError) -> RelationshipDescription {
    RelationshipDescription(
      name: try required("name").name(),
      destinationName: try required("destination").name(),
      inverseName: try name("inverse"),
      minCount: try int("minCount", default: 0),
      maxCount: try int("maxCount", default: 1),
      isOrdered: try flag("isOrdered"),
      isOptional: try flag("isOptional", default: true),
      isTransient: try flag("isTransient"),
      deleteRule: try optional("deleteRule")?.deleteRule() ?? .nullify,
      isIndexedBySpotlight: try flag("isIndexedBySpotlight"),
      isIndexed: try flag("isIndexed"),
      isReadOnly: try flag("isReadOnly"),
      validationPredicates: try validationPredicates(),
      renamingIdentifier: try name("renamingIdentifier"),
      versionHashModifier: try name("versionHashModifier"),
      userInfo: try userInfo())
  }

  private func fetchedProperty() throws(DocumentError) -> FetchedPropertyDescription {
    var property = FetchedPropertyDescription(
      name: try required("name").name(),
      fetchedEntityName: try name("fetchedEntity"),
      predicate: try optional("predicate")?.predicate(),
      fetchLimit: try int("fetchLimit", default: 0),
      isOptional: try flag("isOptional", default: true),
      renamingIdentifier: try name("renamingIdentifier"),
      versionHashModifier: try name("versionHashModifier"),
      userInfo: try userInfo())
    for node in try elements("sortDescriptors") {
      var descriptor = FetchedPropertyDescription.SortDescriptor(
        key: try node.name("key"), isAscending: try node.flag("isAscending", default: true))
      if let selector = try node.optional("selectorName") {
        descriptor.selectorName = selector.value == .null ? nil : try selector.name()
      }
      property.sortDescriptors.append(descriptor)
    }
    return property
  }

  private func deleteRule() throws(DocumentError) -> DeleteRule {
    switch try string() {
    case DeleteRule.noAction.name: return .noAction
    case DeleteRule.nullify.name: return .nullify
    case DeleteRule.cascade.name: return .cascade
    case DeleteRule.deny.name: return .deny
    default: throw error("a known delete rule")
    }
  }

  private func userInfo() throws(DocumentError) -> [Name: ModelValue] {
    try optional("userInfo")?.modelValues() ?? [:]
  }

  private func validationPredicates() throws(DocumentError) -> [ValidationPredicate] {
    var rules: [ValidationPredicate] = []
    for node in try elements("validationPredicates") {
      rules.append(
        ValidationPredicate(
          predicate: try node.required("predicate").predicate(),
          warning: try node.optional("warning")?.modelValue()))
    }
    return rules
  }

  private func derivation() throws(DocumentError) -> Derivation {
    Derivation(
      expression: try required("expression").expression(),
      filteringPredicate: try optional("filteringPredicate")?.predicate())
  }

  private func fetchIndex() throws(DocumentError) -> FetchIndexDescription {
    var index = FetchIndexDescription(
      name: try required("name").name(), elements: [],
      partialIndexPredicate: try optional("partialIndexPredicate")?.predicate())
    for node in try elements("elements") {
      index.elements.append(
        FetchIndexDescription.Element(
          propertyName: try node.name("property"),
          expression: try node.optional("expression")?.expression(),
          isAscending: try node.flag("isAscending", default: true),
          kind: try node.int("kind", default: 0)))
    }
    return index
  }
}
