internal import CoreDataModel

extension ModelDiagram {
  /// The diagram in the language DOT, for Graphviz.
  package var dot: String {
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
    let name = escaped(entity.name.text)
    let title = entity.isAbstract ? "<i>\(name)</i>" : "<b>\(name)</b>"
    var rows = "<tr><td bgcolor=\"#ddf4ff\" colspan=\"2\">\(title)</td></tr>"
    for attribute in entity.attributes {
      rows += row(attribute.name.text, attribute.diagramType)
    }
    for relationship in entity.relationships {
      let order = relationship.isOrdered ? " ordered" : ""
      rows += row(
        relationship.name.text,
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
    var label = relationship.name.text
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
