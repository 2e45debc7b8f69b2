public import CoreDataModel

/// The content of a model diagram: entities with their properties, relationships and inheritance.
///
/// A relationship and its inverse are one link. The output formats are ``mermaid``, ``dot`` and
/// ``svg(title:)``; the same model always gives the same text.
public struct ModelDiagram: Sendable {
  /// One end of a link: a relationship and the entity that declares it.
  struct End: Sendable, Equatable {
    /// The index of the entity.
    let entity: Int
    /// The index of the relationship in its entity.
    let place: Int
    let relationship: RelationshipDescription
  }

  /// A relationship and its inverse, if it has one.
  struct Link: Sendable, Equatable {
    let end: End
    /// The inverse; nil if there is none, and for a relationship that is its own inverse.
    let inverse: End?
    /// The destination of the relationship.
    let destination: Int
    /// Whether the relationship is its own inverse.
    let isSymmetric: Bool

    /// The entity where the link ends: the one that declares the inverse, which may be a
    /// superentity of the destination.
    var last: Int { inverse?.entity ?? destination }
  }

  /// The entities, in the order of the model.
  let entities: [EntityDescription]
  /// The index of each entity's superentity; nil if it has none.
  let parents: [Int?]
  /// The links, in the order of the entities and of their relationships.
  let links: [Link]

  /// Prepares a diagram of a model.
  ///
  /// A relationship whose destination is not in the model is listed in its entity, without a link.
  public init(_ model: ManagedObjectModel) {
    entities = model.entities
    var places: [ExactString: Int] = [:]
    for (place, entity) in model.entities.enumerated() { places[entity.name] = place }
    parents = model.entities.map { $0.superentityName.flatMap { places[$0] } }
    var links: [Link] = []
    var linked: Set<[Int]> = []
    for (entity, description) in model.entities.enumerated() {
      for (place, relationship) in description.relationships.enumerated() {
        guard linked.insert([entity, place]).inserted,
          let destination = places[relationship.destinationName]
        else { continue }
        let end = End(entity: entity, place: place, relationship: relationship)
        let inverse = Self.inverse(of: end, in: model, places)
        let isSymmetric = inverse == end
        if let inverse { linked.insert([inverse.entity, inverse.place]) }
        links.append(
          Link(
            end: end, inverse: isSymmetric ? nil : inverse, destination: destination,
            isSymmetric: isSymmetric))
      }
    }
    self.links = links
  }

  /// The other end of a relationship, if it leads back.
  private static func inverse(
    of end: End, in model: ManagedObjectModel, _ places: [ExactString: Int]
  ) -> End? {
    guard let found = model.inverse(of: end.relationship), let entity = places[found.declaredBy],
      let place = model.entities[entity].relationships
        .firstIndex(where: { $0.name.hasSameBytes(as: found.relationship.name) }),
      let back = model.inverse(of: found.relationship),
      back.declaredBy.hasSameBytes(as: model.entities[end.entity].name),
      back.relationship.name.hasSameBytes(as: end.relationship.name)
    else { return nil }
    return End(entity: entity, place: place, relationship: found.relationship)
  }
}

extension AttributeDescription {
  /// The type in a diagram, with a question mark if the value is optional.
  var diagramType: String { isOptional ? "\(type.name)?" : type.name }
}
