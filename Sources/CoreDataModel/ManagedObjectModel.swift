/// A managed object model: the entities of a store, with everything that Core Data knows about
/// them.
///
/// A plain value that can be read from several sources, compared, and written
/// to an archive. Entities are in ascending order of their names (by Unicode code units), whatever
/// the order of the source.
public struct ManagedObjectModel: Sendable, Equatable {
  /// The entities, in ascending order of their names.
  public let entities: [EntityDescription]
  /// The version identifiers of the model, sorted; often a single empty string, sometimes none.
  public var versionIdentifiers: [Name]
  /// The configurations by name, each with the names of its entities in the order of the source.
  public var configurations: [Name: [Name]]
  /// The names of the fetch request templates, sorted; a cached model never has any.
  public var fetchRequestTemplateNames: [Name]
  /// Where the model was found.
  package var source: ModelSource

  private let positions: [Name: Int]
  private let children: [Name: [Name]]

  /// Creates a model.
  ///
  /// The entities are sorted by name; if two have the same name, the later one is kept.
  package init(
    entities: [EntityDescription],
    versionIdentifiers: [Name] = [],
    configurations: [Name: [Name]] = [:],
    fetchRequestTemplateNames: [Name] = [],
    source: ModelSource
  ) {
    var unique: [Name: EntityDescription] = [:]
    for entity in entities { unique[entity.name] = entity }
    let sorted = unique.values.sorted { $0.name < $1.name }
    self.entities = sorted
    self.versionIdentifiers = versionIdentifiers
    self.configurations = configurations
    self.fetchRequestTemplateNames = fetchRequestTemplateNames
    self.source = source
    var positions: [Name: Int] = [:]
    var children: [Name: [Name]] = [:]
    for (position, entity) in sorted.enumerated() {
      positions[entity.name] = position
      if let parent = entity.superentityName { children[parent, default: []].append(entity.name) }
    }
    self.positions = positions
    self.children = children.mapValues { $0.sorted(by: entityNamesAscend) }
  }

  /// The number of properties that the entities declare; inherited ones are counted once.
  package var propertyCount: Int {
    entities.reduce(0) {
      $0 + $1.attributes.count + $1.relationships.count + $1.fetchedProperties.count
    }
  }

  /// The entity with that name, or nil if there is none.
  public subscript(name: Name) -> EntityDescription? {
    positions[name].map { entities[$0] }
  }

  /// The direct subentities of an entity, in the order in which Core Data numbers them.
  public func subentityNames(of name: Name) -> [Name] {
    children[name] ?? []
  }

  /// The entities without a superentity, in the order in which Core Data numbers them.
  public var rootEntities: [EntityDescription] {
    entities.filter { $0.superentityName.flatMap { self[$0] } == nil }
      .sorted { entityNamesAscend($0.name, $1.name) }
  }

  /// The chain from the root entity down to the entity itself; empty if the model lacks the entity.
  ///
  /// A cycle of superentities, which only a damaged model has, ends the chain.
  public func lineage(of name: Name) -> [EntityDescription] {
    var chain: [EntityDescription] = []
    var seen: Set<Name> = []
    var next = self[name]
    while let entity = next, seen.insert(entity.name).inserted {
      chain.append(entity)
      next = entity.superentityName.flatMap { self[$0] }
    }
    return chain.reversed()
  }

  /// The root of the entity's inheritance tree, or nil if the model lacks the entity.
  public func root(of name: Name) -> EntityDescription? {
    lineage(of: name).first
  }

  /// The entity and all its subentities, depth first, siblings in the order of Core Data's
  /// numbering.
  ///
  /// Source of the order: store-format, section 2.1.
  public func tree(of name: Name) -> [EntityDescription] {
    tree(of: name, siblings: \.self)
  }

  /// The entity and all its subentities, depth first, with the siblings in another order.
  package func tree(of name: Name, siblings: ([Name]) -> [Name]) -> [EntityDescription] {
    var found: [EntityDescription] = []
    var seen: Set<Name> = []
    func walk(_ name: Name) {
      guard let entity = self[name], seen.insert(name).inserted else { return }
      found.append(entity)
      for child in siblings(subentityNames(of: name)) { walk(child) }
    }
    walk(name)
    return found
  }

  /// Whether the first entity is the second one or one of its subentities.
  public func isEntity(_ name: Name, kindOf other: Name) -> Bool {
    lineage(of: name).contains { $0.name == other }
  }

  /// The attributes of an entity, inherited ones first.
  public func allAttributes(of name: Name) -> [AttributeDescription] {
    lineage(of: name).flatMap(\.attributes)
  }

  /// The relationships of an entity, inherited ones first.
  public func allRelationships(of name: Name) -> [RelationshipDescription] {
    lineage(of: name).flatMap(\.relationships)
  }

  /// The relationship with that name that the entity or a superentity declares, with the declaring
  /// entity.
  public func relationship(
    _ name: Name, of entity: Name
  ) -> (declaredBy: Name, relationship: RelationshipDescription)? {
    for declarer in lineage(of: entity).reversed() {
      if let found = declarer.relationship(name) { return (declarer.name, found) }
    }
    return nil
  }

  /// The inverse of a relationship with the entity that declares it, or nil if there is none.
  public func inverse(
    of relationship: RelationshipDescription
  ) -> (declaredBy: Name, relationship: RelationshipDescription)? {
    guard let name = relationship.inverseName else { return nil }
    return self.relationship(name, of: relationship.destinationName)
  }

  /// Whether two models are equal, ignoring their sources.
  public static func == (left: Self, right: Self) -> Bool {
    left.entities == right.entities && left.versionIdentifiers == right.versionIdentifiers
      && left.configurations == right.configurations
      && left.fetchRequestTemplateNames == right.fetchRequestTemplateNames
  }

  /// A number of entities that no model reaches.
  ///
  /// In a store, numbers from here on belong to the framework's own entities (store-format, section
  /// 2.5).
  package static let entityLimit = 16_000
  /// The maximum depth of inheritance.
  ///
  /// Every walk through a model relies on it.
  package static let maximumInheritanceDepth = 128

  /// Checks that the inheritance of every entity ends, and within the maximum depth.
  ///
  /// - Throws: ``CofferError`` with `damaged` if an entity inherits from itself, `limit` if a chain
  ///   is longer than ``maximumInheritanceDepth``.
  package func checkInheritance() throws(CofferError) {
    var depths: [Name: Int] = [:]
    for entity in entities {
      var path: [Name] = []
      var names: Set<Name> = []
      var next: EntityDescription? = entity
      while let current = next, depths[current.name] == nil {
        guard names.insert(current.name).inserted else {
          throw CofferError(
            .damagedModel, item: entity.name.text, detail: "an entity inherits from itself")
        }
        path.append(current.name)
        next = current.superentityName.flatMap { self[$0] }
      }
      var depth = next.flatMap { depths[$0.name] } ?? 0
      for name in path.reversed() {
        depth += 1
        depths[name] = depth
      }
      guard depth <= Self.maximumInheritanceDepth || path.isEmpty else {
        throw CofferError(
          .modelLimit, item: entity.name.text, detail: "the entity has too many superentities")
      }
    }
  }
}

/// Where a managed object model was found.
package enum ModelSource: String, Sendable, Hashable {
  /// The copy of the model that Core Data keeps in the store.
  case modelCache = "modelcache"
  case file
  /// Inferred from the store's tables, because there is nothing better: names and types are
  /// guesses.
  case inferred
}
