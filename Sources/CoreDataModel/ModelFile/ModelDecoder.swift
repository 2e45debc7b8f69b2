/// Converts the keyed archive of a model to the model's values.
///
/// All lookups go through the archive's budget, so the decoder itself only limits the depth of
/// nested predicates and composite attributes.
struct ModelDecoder {
  /// The maximum depth of nested predicates, expressions or composite attributes.
  static let maximumDepth = 64

  var archive: KeyedArchive
  private var propertyNames: [KeyedArchive.Node: Set<ExactString>] = [:]

  init(_ archive: KeyedArchive) { self.archive = archive }

  /// Decodes the whole model.
  mutating func model(source: ModelSource) throws(CofferError) -> ManagedObjectModel {
    let root = archive.root
    guard try archive.isKind(root, of: "NSManagedObjectModel") else {
      throw CofferError(.notAModel, detail: "the archive's root is not a managed object model")
    }
    guard let list = try archive.node("NSEntities", of: root),
      let nodes = try archive.entries(of: list)
    else { throw CofferError(.damagedModel, detail: "a model without entities") }
    guard nodes.count < ManagedObjectModel.entityLimit else {
      throw CofferError(.modelLimit, detail: "a model of \(nodes.count) entities")
    }
    var entities: [EntityDescription] = []
    var names: Set<ExactString> = []
    for (key, node) in nodes {
      guard let node, let key = try archive.string(key) else {
        throw CofferError(.damagedModel, detail: "an entity without a name or description")
      }
      let entity = try self.entity(node, key: key)
      guard names.insert(entity.name).inserted else {
        throw CofferError(.damagedModel, item: entity.name, detail: "two entities of one name")
      }
      entities.append(entity)
    }
    let model = ManagedObjectModel(
      entities: entities,
      versionIdentifiers: try strings("NSVersionIdentifiers", of: root).sorted(by: codeUnitsAscend),
      configurations: try configurations(of: root),
      fetchRequestTemplateNames: try keys("NSFetchRequestTemplates", of: root),
      source: source)
    try model.checkInheritance()
    return model
  }

  private mutating func entity(
    _ node: KeyedArchive.Node, key: String
  ) throws(CofferError) -> EntityDescription {
    guard try archive.isKind(node, of: "NSEntityDescription") else {
      throw CofferError(.damagedModel, item: key, detail: "an entity of another class")
    }
    let name = try string("NSEntityName", of: node) ?? key
    let superentity = try archive.node("NSSuperentity", of: node)
    let properties = try ownProperties(of: node, superentity: superentity, entity: name)
    return EntityDescription(
      name: name,
      className: try string("NSClassNameForEntity", of: node),
      isAbstract: try bool("NSIsAbstract", of: node),
      superentityName: try superentity.flatMap { node throws(CofferError) in
        try string("NSEntityName", of: node)
      },
      attributes: properties.attributes,
      relationships: properties.relationships,
      fetchedProperties: properties.fetched,
      uniquenessConstraints: try tuples(["NSUniqueTuples", "_NSUniqueTuples"], of: node),
      compoundIndexes: try tuples(["NSCompoundIndexes"], of: node),
      fetchIndexes: try fetchIndexes(of: node, entity: name),
      renamingIdentifier: try renamingIdentifier(of: node, name: name),
      versionHashModifier: try string("NSVersionHashModifier", of: node),
      userInfo: try userInfo(of: node))
  }

  /// The properties that the superentity lacks.
  ///
  /// A cached model lists inherited properties too; a model file does not.
  private mutating func ownProperties(
    of node: KeyedArchive.Node, superentity: KeyedArchive.Node?, entity: String
  ) throws(CofferError) -> PropertyList {
    let inherited = try superentity.map { node throws(CofferError) in
      try names(ofPropertiesOf: node)
    }
    var properties = PropertyList()
    for (key, property) in try propertyEntries(of: node) {
      guard let name = try archive.string(key), let property else {
        throw CofferError(
          .damagedModel, item: entity, detail: "a property without a name or description")
      }
      if inherited?.contains(name) == true { continue }
      try decode(property, name: name, entity: entity, into: &properties)
    }
    return properties
  }

  private mutating func propertyEntries(
    of entity: KeyedArchive.Node
  ) throws(CofferError) -> [(key: KeyedArchive.Node, value: KeyedArchive.Node?)] {
    guard let list = try archive.node("NSProperties", of: entity) else { return [] }
    return try archive.entries(of: list) ?? []
  }

  private mutating func names(
    ofPropertiesOf entity: KeyedArchive.Node
  ) throws(CofferError) -> Set<ExactString> {
    if let known = propertyNames[entity] { return known }
    var names: Set<ExactString> = []
    for (key, _) in try propertyEntries(of: entity) {
      if let name = try archive.string(key) { names.insert(name) }
    }
    propertyNames[entity] = names
    return names
  }

  /// Lists of lists of property names; an element is a name or a property.
  private mutating func tuples(
    _ fields: [String], of node: KeyedArchive.Node
  ) throws(CofferError) -> [[String]] {
    for field in fields {
      var tuples: [[String]] = []
      for tuple in try elements(field, of: node) {
        var names: [String] = []
        for element in try archive.elements(of: tuple) ?? [] {
          guard let element else { continue }
          if let name = try archive.string(element) {
            names.append(name)
          } else if let name = try string("NSPropertyName", of: element) {
            names.append(name)
          } else {
            throw CofferError(.damagedModel, detail: "a constraint or index of an unknown form")
          }
        }
        tuples.append(names)
      }
      if !tuples.isEmpty { return tuples }
    }
    return []
  }

  private mutating func configurations(
    of root: KeyedArchive.Node
  ) throws(CofferError) -> [ExactString: [String]] {
    var configurations: [ExactString: [String]] = [:]
    guard let list = try archive.node("NSConfigurations", of: root),
      let entries = try archive.entries(of: list)
    else { return configurations }
    for (key, value) in entries {
      guard let name = try archive.string(key) else { continue }
      var entities: [String] = []
      if let value {
        for entity in try archive.elements(of: value) ?? [] {
          guard let entity else { continue }
          if let text = try archive.string(entity) {
            entities.append(text)
          } else if let text = try string("NSEntityName", of: entity) {
            entities.append(text)
          }
        }
      }
      configurations[name] = entities
    }
    return configurations
  }
}
