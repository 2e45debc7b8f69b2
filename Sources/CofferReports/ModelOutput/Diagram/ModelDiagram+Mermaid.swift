internal import CoreDataModel

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
