internal import CofferKit
internal import CoreDataModel

extension TextReport {
  /// How many destinations are named of a relationship that is not followed, or has more.
  private static let namedDestinations = 5

  func shown(_ object: ShownObject, isFirst: Bool) throws {
    if !isFirst { try line("") }
    try show(object, indent: "")
  }

  func listedObjects(_ count: Int, hasMore: Bool, status: ExitStatus) throws {
    if count == 0 { try line("no objects") }
    if hasMore { try line("\n… and more; --limit 0 shows all") }
  }

  private func show(_ object: ShownObject, indent: String) throws {
    try line(indent + style.bold(printable(object.id.description)))
    let names = object.attributes.map(\.name) + object.relationships.map(\.name)
    let width = min(names.map(\.count).max() ?? 0, 34)
    for attribute in object.attributes {
      try show(attribute, indent: indent + "  ", width: width)
    }
    for relationship in object.relationships {
      let name = padded(relationship.name, to: width)
      try line("\(indent)  \(name)  → \(destinations(of: relationship))")
      for destination in relationship.objects ?? [] {
        try show(destination, indent: indent + "    ")
      }
    }
  }

  private func show(_ attribute: ShownAttribute, indent: String, width: Int) throws {
    let name = padded(attribute.name, to: width)
    switch attribute.value {
    case .composite(let elements):
      try line("\(indent)\(printable(attribute.name))")
      for element in elements { try show(element, indent: indent + "  ", width: width - 2) }
    case .tree(let value):
      for (number, text) in ValueTree.lines(value).enumerated() {
        let label = number == 0 ? name : String(repeating: " ", count: name.count)
        try line("\(indent)\(label)  \(printable(text))")
      }
    default: try line("\(indent)\(name)  \(text(of: attribute.value))")
    }
  }

  private func text(of value: ShownValue) -> String {
    switch value {
    case .none: "–"
    case .bool(let value): value ? "yes" : "no"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text), .date(let text): printable(text)
    case .data(let count): QuantityText.bytes(count)
    case .file(let name): "file \(printable(name))"
    case .tree, .composite: ""
    }
  }

  private func destinations(of relationship: ShownRelationship) -> String {
    let all = relationship.destinations
    guard relationship.isToMany else { return all.first.map { printable("\($0)") } ?? "–" }
    let names = all.prefix(Self.namedDestinations).map { printable("\($0)") }
    let more = all.count > names.count ? ", …" : ""
    let count = QuantityText.count(all.count, "object")
    return all.isEmpty ? count : "\(count): \(names.joined(separator: ", "))\(more)"
  }

  private func padded(_ name: String, to width: Int) -> String {
    let name = printable(name)
    return name + String(repeating: " ", count: max(0, width - name.count))
  }
}
