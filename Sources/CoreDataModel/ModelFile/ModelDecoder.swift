/// Converts the keyed archive of a model to the model's values.
///
/// All lookups go through the archive's budget, so the decoder itself only limits the depth of
/// nested predicates and composite attributes.
struct ModelDecoder {
  /// The maximum depth of nested predicates, expressions or composite attributes.
  static let maximumDepth = 64

  var archive: KeyedArchive
  /// Whether fetches in expressions are read, as in a mapping model; elsewhere they are kept unchanged.
  var readsFetches = false
  private var propertyNames: [KeyedArchive.Node: Set<Name>] = [:]

  init(_ archive: KeyedArchive) { self.archive = archive }

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
    var names: Set<Name> = []
    for (key, node) in nodes {
      guard let node, let key = try archive.name(key) else {
        throw CofferError(.damagedModel, detail: "an entity without a name or description")
      }
      let entity = try self.entity(node, key: key.text)
      guard names.insert(entity.name).inserted else {
        throw CofferError(
          .damagedModel, item: entity.name.text, detail: "two entities with the same name")
      }
      entities.append(entity)
    }
    let model = ManagedObjectModel(
      entities: entities,
      versionIdentifiers: try self.names("NSVersionIdentifiers", of: root).sorted(),
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
      throw CofferError(
        .damagedModel, item: key, detail: "an entity that is not an entity description")
    }
    let name = try self.name("NSEntityName", of: node) ?? Name(key)
    let superentity = try archive.node("NSSuperentity", of: node)
    let properties = try ownProperties(of: node, superentity: superentity, entity: name)
    return EntityDescription(
      name: name,
      className: try self.name("NSClassNameForEntity", of: node),
      isAbstract: try bool("NSIsAbstract", of: node),
      superentityName: try superentity.flatMap { node throws(CofferError) in
        try self.name("NSEntityName", of: node)
      },
      attributes: properties.attributes,
      relationships: properties.relationships,
      fetchedProperties: properties.fetched,
      uniquenessConstraints: try tuples(["NSUniqueTuples", "_NSUniqueTuples"], of: node),
      compoundIndexes: try tuples(["NSCompoundIndexes"], of: node),
      fetchIndexes: try fetchIndexes(of: node, entity: name),
      renamingIdentifier: try renamingIdentifier(of: node, name: name),
      versionHashModifier: try self.name("NSVersionHashModifier", of: node),
      userInfo: try userInfo(of: node))
  }

  /// The properties that the superentity lacks.
  ///
  /// A cached model lists inherited properties too; a model file does not.
  private mutating func ownProperties(
    of node: KeyedArchive.Node, superentity: KeyedArchive.Node?, entity: Name
  ) throws(CofferError) -> PropertyList {
    let inherited = try superentity.map { node throws(CofferError) in
      try names(ofPropertiesOf: node)
    }
    var properties = PropertyList()
    for (key, property) in try propertyEntries(of: node) {
      guard let name = try archive.name(key), let property else {
        throw CofferError(
          .damagedModel, item: entity.text, detail: "a property without a name or description")
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
  ) throws(CofferError) -> Set<Name> {
    if let known = propertyNames[entity] { return known }
    var names: Set<Name> = []
    for (key, _) in try propertyEntries(of: entity) {
      if let name = try archive.name(key) { names.insert(name) }
    }
    propertyNames[entity] = names
    return names
  }

  /// Lists of lists of property names; an element is a name or a property.
  private mutating func tuples(
    _ fields: [String], of node: KeyedArchive.Node
  ) throws(CofferError) -> [[Name]] {
    for field in fields {
      var tuples: [[Name]] = []
      for tuple in try elements(field, of: node) {
        var names: [Name] = []
        for element in try archive.elements(of: tuple) ?? [] {
          guard let element else { continue }
          if let name = try archive.name(element) {
            names.append(name)
          } else if let name = try self.name("NSPropertyName", of: element) {
            names.append(name)
          } else {
            throw CofferError(.damagedModel, detail: "a constraint or index with an unknown form")
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
  ) throws(CofferError) -> [Name: [Name]] {
    var configurations: [Name: [Name]] = [:]
    guard let list = try archive.node("NSConfigurations", of: root),
      let entries = try archive.entries(of: list)
    else { return configurations }
    for (key, value) in entries {
      guard let name = try archive.name(key) else { continue }
      var entities: [Name] = []
      if let value {
        for entity in try archive.elements(of: value) ?? [] {
          guard let entity else { continue }
          if let text = try archive.name(entity) {
            entities.append(text)
          } else if let text = try self.name("NSEntityName", of: entity) {
            entities.append(text)
          }
        }
      }
      configurations[name] = entities
    }
    return configurations
  }
}

/// The fields that several classes of a model share.
extension ModelDecoder {
  mutating func string(_ field: String, of node: KeyedArchive.Node) throws(CofferError) -> String? {
    try archive.string(try archive.node(field, of: node))
  }

  mutating func name(_ field: String, of node: KeyedArchive.Node) throws(CofferError) -> Name? {
    try archive.name(try archive.node(field, of: node))
  }

  mutating func bool(_ field: String, of node: KeyedArchive.Node) throws(CofferError) -> Bool {
    archive.bool(try archive.node(field, of: node))
  }

  /// The integer of a field; nil if the field is missing.
  mutating func integer(_ field: String, of node: KeyedArchive.Node) throws(CofferError) -> Int? {
    guard let value = try archive.node(field, of: node) else { return nil }
    guard let number = archive.integer(value) else {
      throw CofferError(.damagedModel, detail: "\(field) is not an integer")
    }
    return number
  }

  /// The non-nil elements of a list; empty if the field is missing.
  mutating func elements(
    _ field: String, of node: KeyedArchive.Node
  ) throws(CofferError) -> [KeyedArchive.Node] {
    guard let list = try archive.node(field, of: node) else { return [] }
    guard let elements = try archive.elements(of: list) else {
      throw CofferError(.damagedModel, detail: "\(field) is not a list")
    }
    return elements.compactMap { $0 }
  }

  /// The strings in a list, in order; other elements are left out.
  mutating func names(_ field: String, of node: KeyedArchive.Node) throws(CofferError) -> [Name] {
    var names: [Name] = []
    for element in try elements(field, of: node) {
      if let name = try archive.name(element) { names.append(name) }
    }
    return names
  }

  /// The string keys of a dictionary, sorted.
  mutating func keys(_ field: String, of node: KeyedArchive.Node) throws(CofferError) -> [Name] {
    guard let dictionary = try archive.node(field, of: node),
      let entries = try archive.entries(of: dictionary)
    else { return [] }
    var keys: [Name] = []
    for (key, _) in entries {
      if let name = try archive.name(key) { keys.append(name) }
    }
    return keys.sorted()
  }

  /// The renaming identifier, or nil if it is the name itself.
  mutating func renamingIdentifier(
    of node: KeyedArchive.Node, name: Name
  ) throws(CofferError) -> Name? {
    let identifier = try self.name("NSRenamingIdentifier", of: node)
    return identifier == name ? nil : identifier
  }

  mutating func userInfo(of node: KeyedArchive.Node) throws(CofferError) -> [Name:
    ModelValue]
  {
    guard let info = try archive.node("NSUserInfo", of: node) else { return [:] }
    guard case .dictionary(let values) = try archive.value(of: info) else {
      throw CofferError(.damagedModel, detail: "a user info that is not a dictionary")
    }
    return values
  }

  mutating func value(
    _ field: String, of node: KeyedArchive.Node
  ) throws(CofferError) -> ModelValue? {
    guard let value = try archive.node(field, of: node) else { return nil }
    let decoded = try archive.value(of: value)
    return decoded == .null ? nil : decoded
  }

  func check(depth: Int) throws(CofferError) {
    guard depth <= Self.maximumDepth else {
      throw CofferError(.modelLimit, detail: "a model nested too deeply")
    }
  }
}
