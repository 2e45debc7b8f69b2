/// Converts a model to the objects of a keyed archive.
///
/// Entities and properties refer to each other in cycles, so all of them are reserved first and
/// described afterwards. A subentity also lists copies of inherited properties.
struct ModelEncoder {
  /// An entity and one of its declared or inherited properties.
  struct PropertyKey: Hashable {
    let entity: Name
    let property: Name
  }

  /// Fields of an archived object, in the order in which they are written.
  typealias Fields = [(String, PropertyListValue)]

  let model: ManagedObjectModel
  var builder = KeyedArchiveBuilder()
  private let root: KeyedArchiveBuilder.Reference
  var entities: [Name: KeyedArchiveBuilder.Reference] = [:]
  var properties: [PropertyKey: KeyedArchiveBuilder.Reference] = [:]

  init(_ model: ManagedObjectModel) {
    self.model = model
    root = builder.reserve()
    for entity in model.entities { entities[entity.name] = builder.reserve() }
    for entity in model.entities {
      for name in allPropertyNames(of: entity.name) {
        properties[PropertyKey(entity: entity.name, property: name)] = builder.reserve()
      }
    }
  }

  mutating func archive() -> [UInt8] {
    for entity in model.entities { describe(entity) }
    let versions = model.versionIdentifiers.map { builder.string($0.text) }
    var fields: Fields = [
      ("NSEntities", entityList()),
      ("NSVersionIdentifiers", builder.array(versions, className: "NSSet")),
      ("NSFetchRequestTemplates", requestTemplates()),
    ]
    if !model.configurations.isEmpty { fields.append(("NSConfigurations", configurations())) }
    builder.fill(root, "NSManagedObjectModel", fields)
    return builder.archive(root: root)
  }

  /// The dictionary with a fixed set of keys in cached models: keys and values in two lists.
  private mutating func entityList() -> PropertyListValue {
    let names = model.entities.map { builder.string($0.name.text) }
    let mapping = builder.object(
      "NSKnownKeysMappingStrategy1",
      [
        ("keys", builder.array(names)), ("length", .integer(Int64(names.count))),
        ("version", .integer(1)),
      ])
    return builder.object(
      "NSKnownKeysDictionary1",
      [
        ("searchMapping", mapping),
        ("values", builder.array(model.entities.map { reference(toEntity: $0.name) })),
        ("emptyToken", builder.string("__empty_slot_token_4c24_98dc_ac1e_b773__")),
        ("version", .integer(1)),
      ])
  }

  /// Only the names of templates are known; each name leads to an empty request.
  private mutating func requestTemplates() -> PropertyListValue {
    guard !model.fetchRequestTemplateNames.isEmpty else { return KeyedArchiveBuilder.null }
    var entries: Fields = []
    for name in model.fetchRequestTemplateNames {
      entries.append((name.text, builder.object("NSFetchRequest", [])))
    }
    return builder.dictionary(entries, className: "NSMutableDictionary")
  }

  private mutating func configurations() -> PropertyListValue {
    var entries: Fields = []
    for (name, members) in model.configurations.sorted(by: {
      $0.key < $1.key
    }) {
      let references = members.map { member in
        entities[member]?.value ?? builder.string(member.text)
      }
      entries.append((name.text, builder.array(references, className: "NSSet")))
    }
    return builder.dictionary(entries, className: "NSMutableDictionary")
  }

  private mutating func describe(_ entity: EntityDescription) {
    guard let reference = entities[entity.name] else { return }
    var fields: Fields = [
      ("NSManagedObjectModel", root.value),
      ("NSEntityName", builder.string(entity.name.text)),
      ("NSClassNameForEntity", builder.string(entity.className?.text)),
      ("NSSuperentity", entity.superentityName.map { self.reference(toEntity: $0) } ?? Self.null),
      ("NSSubentities", subentities(of: entity.name)),
      ("NSProperties", describeProperties(of: entity.name)),
      ("NSRenamingIdentifier", builder.string((entity.renamingIdentifier ?? entity.name).text)),
      ("NSVersionHashModifier", builder.string(entity.versionHashModifier?.text)),
      ("NSUserInfo", builder.value(.dictionary(entity.userInfo))),
    ]
    if entity.isAbstract { fields.append(("NSIsAbstract", .bool(true))) }
    if !entity.uniquenessConstraints.isEmpty {
      fields.append(("NSUniqueTuples", tuples(entity.uniquenessConstraints)))
    }
    if !entity.compoundIndexes.isEmpty {
      fields.append(("NSCompoundIndexes", tuples(entity.compoundIndexes)))
    }
    if !entity.fetchIndexes.isEmpty {
      fields.append(("NSFetchIndexDescriptions", fetchIndexes(of: entity)))
    }
    builder.fill(reference, "NSEntityDescription", fields)
  }

  private mutating func subentities(of name: Name) -> PropertyListValue {
    let names = model.subentityNames(of: name)
    guard !names.isEmpty else { return Self.null }
    return builder.dictionary(
      names.map { ($0.text, reference(toEntity: $0)) }, className: "NSMutableDictionary")
  }

  private mutating func describeProperties(of entity: Name) -> PropertyListValue {
    for owner in model.lineage(of: entity) {
      for attribute in owner.attributes {
        guard let reference = reference(to: attribute.name, of: entity) else { continue }
        fill(reference, with: attribute, entity: entity)
      }
      for relationship in owner.relationships {
        guard let reference = reference(to: relationship.name, of: entity) else { continue }
        fill(reference, with: relationship, entity: entity)
      }
      for property in owner.fetchedProperties {
        guard let reference = reference(to: property.name, of: entity) else { continue }
        fill(reference, with: property, entity: entity)
      }
    }
    let entries: Fields = allPropertyNames(of: entity).compactMap { name in
      reference(to: name, of: entity).map { (name.text, $0.value) }
    }
    return builder.dictionary(entries, className: "NSMutableDictionary")
  }

  private mutating func tuples(_ tuples: [[Name]]) -> PropertyListValue {
    var lists: [PropertyListValue] = []
    for tuple in tuples { lists.append(builder.array(tuple.map { builder.string($0.text) })) }
    return builder.array(lists)
  }

  /// The names of all properties of an entity, inherited ones included, sorted.
  private func allPropertyNames(of entity: Name) -> [Name] {
    var names: Set<Name> = []
    for owner in model.lineage(of: entity) {
      names.formUnion(owner.attributes.map(\.name))
      names.formUnion(owner.relationships.map(\.name))
      names.formUnion(owner.fetchedProperties.map(\.name))
    }
    return names.sorted()
  }

  static let null = KeyedArchiveBuilder.null

  /// The reference to an entity, or to nil if the model lacks it.
  func reference(toEntity name: Name) -> PropertyListValue {
    entities[name]?.value ?? Self.null
  }

  func reference(to property: Name, of entity: Name) -> KeyedArchiveBuilder.Reference? {
    properties[PropertyKey(entity: entity, property: property)]
  }
}
