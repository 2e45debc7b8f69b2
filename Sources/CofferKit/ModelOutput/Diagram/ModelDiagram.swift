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
        .firstIndex(where: { $0.name == found.relationship.name }),
      let back = model.inverse(of: found.relationship),
      back.declaredBy == model.entities[end.entity].name,
      back.relationship.name == end.relationship.name
    else { return nil }
    return End(entity: entity, place: place, relationship: found.relationship)
  }
}

extension AttributeDescription {
  /// The type in a diagram, with a question mark if the value is optional.
  var diagramType: String { isOptional ? "\(type.name)?" : type.name }
}

extension ModelDiagram {
  /// The diagram in the language DOT, for Graphviz.
  public var dot: String {
    var lines = [
      "digraph model {",
      "  graph [rankdir=LR, nodesep=0.4, ranksep=0.9, fontname=\"Helvetica\"];",
      "  node [shape=plain, fontname=\"Helvetica\", fontsize=11];",
      "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#57606a\"];",
    ]
    for (place, entity) in entities.enumerated() {
      lines.append("  e\(place) [label=<\(Self.table(entity))>];")
    }
    for (place, parent) in parents.enumerated() {
      guard let parent else { continue }
      lines.append("  e\(parent) -> e\(place) [dir=back, arrowtail=onormal, style=solid];")
    }
    lines += links.map(Self.line)
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func table(_ entity: EntityDescription) -> String {
    let name = escaped(entity.name)
    let title = entity.isAbstract ? "<i>\(name)</i>" : "<b>\(name)</b>"
    var rows = "<tr><td bgcolor=\"#ddf4ff\" colspan=\"2\">\(title)</td></tr>"
    for attribute in entity.attributes {
      rows += row(attribute.name, attribute.diagramType)
    }
    for relationship in entity.relationships {
      let order = relationship.isOrdered ? " ordered" : ""
      rows += row(
        relationship.name,
        "→ \(relationship.destinationName) \(relationship.cardinality)\(order)")
    }
    let table = "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"3\" "
    return table + "color=\"#8c959f\">\(rows)</table>"
  }

  private static func row(_ name: String, _ detail: String) -> String {
    "<tr><td align=\"left\" sides=\"L\">\(escaped(name))</td>"
      + "<td align=\"right\" sides=\"R\">\(escaped(detail))</td></tr>"
  }

  private static func line(_ link: Link) -> String {
    let relationship = link.end.relationship
    let inverse = link.inverse?.relationship ?? (link.isSymmetric ? relationship : nil)
    var label = relationship.name
    if let back = link.inverse?.relationship { label += " / \(back.name)" }
    var attributes = [
      "label=\"\(quoted(label))\"", "headlabel=\"\(relationship.cardinality)\"",
      "arrowhead=\(relationship.isToMany ? "crow" : inverse == nil ? "vee" : "tee")",
    ]
    if let inverse {
      attributes += [
        "dir=both", "taillabel=\"\(inverse.cardinality)\"",
        "arrowtail=\(inverse.isToMany ? "crow" : "tee")",
      ]
    }
    let list = attributes.joined(separator: ", ")
    return "  e\(link.end.entity) -> e\(link.last) [\(list)];"
  }

  /// Text in a table label; characters that XML cannot contain would end it.
  private static func escaped(_ text: String) -> String {
    text.isEmpty ? " " : XMLText.escaped(text, inAttribute: true)
  }

  /// Quoted text.
  private static func quoted(_ text: String) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(Character(scalar))"
      case "\u{0}"..."\u{1F}": quoted += " "
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted
  }
}

extension ModelDiagram {
  /// The diagram as a Mermaid class diagram, which GitHub, GitLab and many documentation tools
  /// render.
  public var mermaid: String {
    var lines = ["classDiagram"]
    for (place, entity) in entities.enumerated() {
      let id = Self.identifier(entity.name, place)
      let label = id == entity.name ? "" : "[\"\(Self.escaped(entity.name))\"]"
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
    let name = Self.escaped(relationship.name)
    guard let inverse = link.inverse?.relationship else {
      let tail = link.isSymmetric ? "\"\(relationship.cardinality)\" -- " : "--> "
      return "  \(identifier(link.end.entity)) \(tail)\(head) : \(name)"
    }
    let back = inverse.isOrdered ? " ordered" : ""
    let tail = "\"\(inverse.cardinality)\(back)\" -- "
    return
      "  \(identifier(link.end.entity)) \(tail)\(head) : \(name) / \(Self.escaped(inverse.name))"
  }

  private func identifier(_ place: Int) -> String { Self.identifier(entities[place].name, place) }

  /// A valid Mermaid name: the entity's, unless it could be a keyword or sign.
  private static func identifier(_ name: String, _ place: Int) -> String {
    let bytes = Array(name.utf8)
    let isPlain =
      bytes.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } == true
      && bytes.allSatisfy(isWord)
    return isPlain ? name : "entity\(place)"
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Text in which no character has a meaning: all but letters, digits and a few signs are written
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
