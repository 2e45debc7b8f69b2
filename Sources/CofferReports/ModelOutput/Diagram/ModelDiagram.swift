package import CoreDataModel

/// The content of a model diagram: entities with their properties, relationships and inheritance.
///
/// A relationship and its inverse are one link. The output formats are ``mermaid``, ``dot`` and
/// ``svg(title:)``; the same model always gives the same text.
package struct ModelDiagram: Sendable {
  /// One end of a link: a relationship and the entity that declares it.
  struct End: Sendable, Equatable {
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
    let destination: Int
    /// Whether the relationship is its own inverse.
    let isSymmetric: Bool

    /// The entity where the link ends: the entity that declares the inverse, which may be a
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
  package init(_ model: ManagedObjectModel) {
    entities = model.entities
    let directory = Directory(model)
    parents = directory.parents
    var links: [Link] = []
    var linked: Set<[Int]> = []
    for (entity, description) in model.entities.enumerated() {
      for (place, relationship) in description.relationships.enumerated() {
        guard linked.insert([entity, place]).inserted,
          let destination = directory.entities[relationship.destinationName]
        else { continue }
        let end = End(entity: entity, place: place, relationship: relationship)
        let inverse = directory.inverse(of: end)
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

  /// The connected parts of the diagram, by relationships and inheritance.
  ///
  /// The part with the most entities comes first; parts of the same size are in the order of the
  /// model.
  var clusters: [ModelDiagram] {
    var groups = Array(entities.indices)
    func group(_ entity: Int) -> Int {
      var place = entity
      while groups[place] != place {
        groups[place] = groups[groups[place]]
        place = groups[place]
      }
      return place
    }
    let pairs =
      links.flatMap { [($0.end.entity, $0.last), ($0.end.entity, $0.destination)] }
      + parents.enumerated().compactMap { child, parent in parent.map { ($0, child) } }
    for (one, other) in pairs {
      let (first, second) = (group(one), group(other))
      groups[max(first, second)] = min(first, second)
    }
    var members: [[Int]] = [[Int]](repeating: [], count: entities.count)
    for entity in entities.indices { members[group(entity)].append(entity) }
    return members.filter { !$0.isEmpty }.enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map { part(of: $0.element) }
  }

  /// The part with some of the entities, and the links among them.
  private func part(of members: [Int]) -> ModelDiagram {
    var places: [Int: Int] = [:]
    for (place, member) in members.enumerated() { places[member] = place }
    func moved(_ end: End) -> End? {
      places[end.entity].map { End(entity: $0, place: end.place, relationship: end.relationship) }
    }
    return ModelDiagram(
      entities: members.map { entities[$0] },
      parents: members.map { parents[$0].flatMap { places[$0] } },
      links: links.compactMap { link in
        guard let end = moved(link.end), let destination = places[link.destination] else {
          return nil
        }
        return Link(
          end: end, inverse: link.inverse.flatMap(moved), destination: destination,
          isSymmetric: link.isSymmetric)
      })
  }

  private init(entities: [EntityDescription], parents: [Int?], links: [Link]) {
    (self.entities, self.parents, self.links) = (entities, parents, links)
  }

  /// Finds entities and relationships by name; there can be thousands.
  private struct Directory {
    let entities: [Name: Int]
    let parents: [Int?]
    private let model: ManagedObjectModel
    /// The places of each entity's relationships.
    private let relationships: [[Name: Int]]

    init(_ model: ManagedObjectModel) {
      self.model = model
      var entities: [Name: Int] = [:]
      for (place, entity) in model.entities.enumerated() { entities[entity.name] = place }
      self.entities = entities
      parents = model.entities.map { $0.superentityName.flatMap { entities[$0] } }
      relationships = model.entities.map { entity in
        let places = entity.relationships.enumerated().map {
          ($0.element.name, $0.offset)
        }
        return Dictionary(places) { first, _ in first }
      }
    }

    /// The other end of a relationship, if it leads back.
    func inverse(of end: End) -> End? {
      guard let inverse = destination(of: end.relationship),
        let back = destination(of: inverse.relationship), back.entity == end.entity,
        back.relationship.name == end.relationship.name
      else { return nil }
      return inverse
    }

    /// The inverse that a relationship names, in its destination or the nearest superentity.
    private func destination(of relationship: RelationshipDescription) -> End? {
      guard let name = relationship.inverseName else { return nil }
      var next = entities[relationship.destinationName]
      // Stops at a cycle, which only a damaged model has.
      for _ in 0...ManagedObjectModel.maximumInheritanceDepth {
        guard let entity = next else { return nil }
        if let place = relationships[entity][name] {
          let found = model.entities[entity].relationships[place]
          return End(entity: entity, place: place, relationship: found)
        }
        next = parents[entity]
      }
      return nil
    }
  }
}

extension AttributeDescription {
  /// The type in a diagram, with a question mark if the value is optional.
  var diagramType: String { isOptional ? "\(type.name)?" : type.name }
}

extension ModelDiagram {
  /// The diagram as a Mermaid class diagram, which GitHub, GitLab and many documentation tools
  /// render.
  package var mermaid: String {
    var lines = ["classDiagram"]
    for (place, entity) in entities.enumerated() {
      let id = Self.identifier(entity.name.text, place)
      let label = id == entity.name.text ? "" : "[\"\(Self.escaped(entity.name.text))\"]"
      var members: [String] = entity.isAbstract ? ["<<abstract>>"] : []
      members += entity.attributes.map { "\($0.name): \($0.diagramType)" }.map(Self.escaped)
      if members.isEmpty {
        lines.append("  class \(id)\(label)")
      } else {
        lines.append("  class \(id)\(label) {")
        lines += members.map { "    \($0)" }
        lines.append("  }")
      }
    }
    for (place, parent) in parents.enumerated() {
      guard let parent else { continue }
      lines.append("  \(identifier(parent)) <|-- \(identifier(place))")
    }
    lines += links.map(line)
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ link: Link) -> String {
    let relationship = link.end.relationship
    let order = relationship.isOrdered ? " ordered" : ""
    let head = "\"\(relationship.cardinality)\(order)\" \(identifier(link.last))"
    let name = Self.escaped(relationship.name.text)
    guard let inverse = link.inverse?.relationship else {
      let tail = link.isSymmetric ? "\"\(relationship.cardinality)\" -- " : "--> "
      return "  \(identifier(link.end.entity)) \(tail)\(head) : \(name)"
    }
    let back = inverse.isOrdered ? " ordered" : ""
    let tail = "\"\(inverse.cardinality)\(back)\" -- "
    return
      "  \(identifier(link.end.entity)) \(tail)\(head) : \(name) / \(Self.escaped(inverse.name.text))"
  }

  private func identifier(_ place: Int) -> String {
    Self.identifier(entities[place].name.text, place)
  }

  /// A valid Mermaid name: the entity's, unless Mermaid could read it as a keyword or a sign.
  private static func identifier(_ name: String, _ place: Int) -> String {
    let bytes = Array(name.utf8)
    let isPlain =
      bytes.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } == true
      && bytes.allSatisfy(isWord)
    return isPlain ? name : "entity\(place)"
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    PercentEncoding.isAlphanumeric(byte) || byte == UInt8(ascii: "_")
  }

  /// Text without special characters: all except letters, digits and a few signs are written
  /// as numbers.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      let isPlain =
        scalar.properties.isAlphabetic || (scalar.isASCII && isWord(UInt8(scalar.value)))
        || " :?.".unicodeScalars.contains(scalar)
      return isPlain ? String(Character(scalar)) : "#\(scalar.value);"
    }.joined()
  }
}
