internal import CoreDataModel
internal import Foundation

/// Our models in the shape in which the oracle prints them, to compare the two.
enum OracleShape {
  /// The parts of the oracle's output that describe the archiving rather than the model.
  static let archiveKeys: Set<String> = ["proxy", "P", "derivationRaw", "predicateRaw", "source"]

  static func model(_ model: ManagedObjectModel) -> JSONValue {
    .object([
      "versionIdentifiers": .array(model.versionIdentifiers.map { .string($0.text) }),
      "configurations": .object(
        model.configurations.byText.mapValues { .array($0.map { .string($0.text) }) }),
      "fetchRequestTemplates": .array(model.fetchRequestTemplateNames.map { .string($0.text) }),
      "entities": .array(model.entities.map { entity($0, in: model) }),
    ])
  }

  private static func entity(_ entity: EntityDescription, in model: ManagedObjectModel) -> JSONValue
  {
    var properties: [JSONValue] = []
    for owner in model.lineage(of: entity.name) {
      let own =
        owner.attributes.map(attribute) + owner.relationships.map(relationship)
        + owner.fetchedProperties.map(fetched)
      for var property in own {
        property["inherited"] = .bool(owner.name != entity.name)
        properties.append(property)
      }
    }
    return .object([
      "name": .string(entity.name.text),
      "className": text(entity.className?.text),
      "abstract": .bool(entity.isAbstract),
      "super": text(entity.superentityName?.text),
      "subentities": .array(model.subentityNames(of: entity.name).map { .string($0.text) }),
      "renamingID": .string((entity.renamingIdentifier ?? entity.name).text),
      "hashModifier": text(entity.versionHashModifier?.text),
      "userInfo": value(.dictionary(entity.userInfo)),
      "uniqueness": lists(entity.uniquenessConstraints),
      "compoundIndexes": lists(entity.compoundIndexes),
      "indexes": .array(entity.fetchIndexes.map(index)),
      "properties": .array(properties),
    ])
  }

  private static func index(_ index: FetchIndexDescription) -> JSONValue {
    .object([
      "name": .string(index.name.text),
      "predicate": text(index.partialIndexPredicate?.formatDescription),
      "elements": .array(
        index.elements.map { element in
          var members: [String: JSONValue] = [
            "property": text(element.propertyName?.text),
            "ascending": .bool(element.isAscending),
            "type": element.kind == 0
              ? .string("binary") : element.kind == 1 ? .string("rtree") : .null,
          ]
          if let expression = element.expression {
            members["expression"] = .string(expression.formatDescription)
          }
          return .object(members)
        }),
    ])
  }

  private static func common(
    _ name: String, isOptional: Bool, isTransient: Bool, isIndexed: Bool = false,
    isSpotlight: Bool = false, validation: [ValidationPredicate] = [], renaming: String?,
    modifier: String?, userInfo: [Name: ModelValue]
  ) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "name": .string(name), "optional": .bool(isOptional), "transient": .bool(isTransient),
      "indexed": .bool(isIndexed), "renamingID": .string(renaming ?? name),
      "hashModifier": text(modifier), "userInfo": value(.dictionary(userInfo)),
    ]
    if isSpotlight { members["spotlight"] = .bool(true) }
    if !validation.isEmpty {
      members["validation"] = .array(
        validation.map { .string($0.predicate.formatDescription) })
    }
    return members
  }

  private static func attribute(_ attribute: AttributeDescription) -> JSONValue {
    var members = common(
      attribute.name.text, isOptional: attribute.isOptional, isTransient: attribute.isTransient,
      isIndexed: attribute.isIndexed, isSpotlight: attribute.isIndexedBySpotlight,
      validation: attribute.validationPredicates, renaming: attribute.renamingIdentifier?.text,
      modifier: attribute.versionHashModifier?.text, userInfo: attribute.userInfo)
    let flags =
      (attribute.allowsExternalBinaryDataStorage ? 4 : 0)
      + (attribute.preservesValueInHistoryOnDeletion ? 16 : 0)
    let kind = attribute.isDerived ? "derived" : attribute.isComposite ? "composite" : "attribute"
    members.merge([
      "kind": .string(kind), "type": .number(Double(attribute.type.rawValue)),
      "typeName": .string(attribute.type.name), "valueClass": text(attribute.valueClassName?.text),
      "valueTransformer": text(attribute.valueTransformerName?.text),
      "flags": .number(Double(flags)),
      "externalStorage": .bool(attribute.allowsExternalBinaryDataStorage),
      "preserveAfterDeletion": .bool(attribute.preservesValueInHistoryOnDeletion),
      "default": attribute.defaultValue.map(value) ?? .null,
    ]) { $1 }
    if attribute.allowsCloudEncryption { members["cloudEncryption"] = .bool(true) }
    if let derivation = attribute.derivation {
      members["derivation"] = .string(derivation.expression.formatDescription)
    }
    if attribute.isComposite {
      members["elements"] = .array(attribute.elements.map(Self.attribute))
    }
    return .object(members)
  }

  private static func relationship(_ relationship: RelationshipDescription) -> JSONValue {
    var members = common(
      relationship.name.text, isOptional: relationship.isOptional,
      isTransient: relationship.isTransient, isIndexed: relationship.isIndexed,
      isSpotlight: relationship.isIndexedBySpotlight,
      validation: relationship.validationPredicates,
      renaming: relationship.renamingIdentifier?.text,
      modifier: relationship.versionHashModifier?.text, userInfo: relationship.userInfo)
    members.merge([
      "kind": .string("relationship"), "destination": .string(relationship.destinationName.text),
      "inverse": text(relationship.inverseName?.text),
      "minCount": .number(Double(relationship.minCount)),
      "maxCount": .number(Double(relationship.maxCount)),
      "toMany": .bool(relationship.isToMany), "ordered": .bool(relationship.isOrdered),
      "deleteRule": .string(relationship.deleteRule.name),
    ]) { $1 }
    return .object(members)
  }

  private static func fetched(_ property: FetchedPropertyDescription) -> JSONValue {
    var members = common(
      property.name.text, isOptional: property.isOptional, isTransient: true,
      renaming: property.renamingIdentifier?.text, modifier: property.versionHashModifier?.text,
      userInfo: property.userInfo)
    members["kind"] = .string("fetched")
    return .object(members)
  }

  private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  private static func lists(_ lists: [[Name]]) -> JSONValue {
    .array(lists.map { .array($0.map { .string($0.text) }) })
  }

  /// A property list in the oracle's shape.
  static func propertyList(_ value: PropertyListValue) -> JSONValue {
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .integer(let number): .number(Double(number))
    case .wideInteger(let high, let low): .number(Double(high) * 0x1p64 + Double(low))
    case .real(let number): .number(number)
    case .date(let seconds): .object(["$date": .number(seconds)])
    case .data(let bytes): .object(["$data": .string(Data(bytes).base64EncodedString())])
    case .string(let text): .string(text)
    case .uid(let number): .object(["$uid": .number(Double(number))])
    case .array(let values), .set(let values): .array(values.map(propertyList))
    case .dictionary(let entries):
      .object(
        Dictionary(entries.map { ($0.key, propertyList($0.value)) }, uniquingKeysWith: { $1 }))
    }
  }

  /// A value in a collection, where nil is an object of its own.
  private static func element(_ value: ModelValue) -> JSONValue {
    value == .null ? .object(["$class": .string("NSNull")]) : Self.value(value)
  }

  private static func value(_ value: ModelValue) -> JSONValue {
    switch value {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .integer(let number): return .number(Double(number))
    case .unsigned(let number): return .number(Double(number))
    case .real(let number): return .number(number)
    case .string(let text): return .string(text)
    case .data(let bytes):
      return .object(["$data": .string(Data(bytes).base64EncodedString())])
    case .date(let seconds): return .object(["$date": .number(seconds)])
    case .uuid(let text):
      return .object([
        "$uuid": .string(text.replacingOccurrences(of: "-", with: "").lowercased())
      ])
    case .url(let text): return .object(["$url": .string(text)])
    case .array(let values): return .array(values.map(element))
    case .dictionary(let values): return .object(values.byText.mapValues(element))
    case .object(let className, let fields):
      var members = fields.byText.mapValues(Self.value)
      members["$class"] = .string(className)
      return .object(members)
    case .cycle(let className): return .string(className)
    }
  }
}

extension Dictionary where Key == Name {
  /// The dictionary by the texts of its keys.
  fileprivate var byText: [String: Value] {
    Dictionary<String, Value>(map { ($0.key.text, $0.value) }) { first, _ in first }
  }
}
