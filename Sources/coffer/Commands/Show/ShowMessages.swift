internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

struct ObjectMessage: Message {
  /// The maximum number of destinations to name for each relationship.
  private static let namedDestinations = 5

  var object: ShownObject
  var isFirst: Bool

  func write(to printer: TextPrinter) throws {
    if !isFirst { try printer.line("") }
    try show(object, indent: "", printer)
  }

  func write(to printer: JSONPrinter) throws {
    try printer.line(["type": "object"] + Self.members(of: object))
  }

  private func show(_ object: ShownObject, indent: String, _ printer: TextPrinter) throws {
    try printer.line(indent + printer.style.bold(Terminal.printable(object.id.description)))
    let names = object.attributes.map(\.name) + object.relationships.map(\.name)
    let width = min(names.map(\.text.count).max() ?? 0, 34)
    for attribute in object.attributes {
      try show(attribute, indent: indent + "  ", width: width, printer)
    }
    for relationship in object.relationships {
      let name = padded(relationship.name.text, to: width)
      try printer.line("\(indent)  \(name)  → \(destinations(of: relationship))")
      for destination in relationship.objects ?? [] {
        try show(destination, indent: indent + "    ", printer)
      }
    }
  }

  private func show(_ attribute: ShownAttribute, indent: String, width: Int, _ printer: TextPrinter)
    throws
  {
    let name = padded(attribute.name.text, to: width)
    switch attribute.value {
    case .composite(let elements):
      try printer.line("\(indent)\(Terminal.printable(attribute.name.text))")
      for element in elements {
        try show(element, indent: indent + "  ", width: width - 2, printer)
      }
    case .tree(let value):
      for (number, text) in ValueTree.lines(value).enumerated() {
        let label = number == 0 ? name : String(repeating: " ", count: name.count)
        try printer.line("\(indent)\(label)  \(Terminal.printable(text))")
      }
    default: try printer.line("\(indent)\(name)  \(attribute.value.line)")
    }
  }

  private func destinations(of relationship: ShownRelationship) -> String {
    let all = relationship.destinations
    guard relationship.isToMany else { return all.first.map { Terminal.printable("\($0)") } ?? "–" }
    if relationship.objects == nil { return QuantityText.count(relationship.count, "object") }
    let names = all.prefix(Self.namedDestinations).map { Terminal.printable("\($0)") }
    let count = QuantityText.count(all.count, "object")
    return all.isEmpty ? count : "\(count): \(names.listed(of: all.count))"
  }

  private func padded(_ name: String, to width: Int) -> String {
    let name = Terminal.printable(name)
    return name + String(repeating: " ", count: max(0, width - name.count))
  }

  private static func members(of object: ShownObject) -> JSONMembers {
    var members: JSONMembers = [
      "entity": object.id.entityName.text, "object": object.id.description,
      "version": object.version, "attributes": value(of: object.attributes),
    ]
    var relationships = JSONMembers()
    var followed = JSONMembers()
    var counts = JSONMembers()
    for relationship in object.relationships {
      if relationship.isToMany {
        counts.append(relationship.name.text, relationship.count)
      }
      if relationship.isToMany, relationship.objects == nil { continue }
      let names = relationship.destinations.map(\.description)
      relationships.append(
        relationship.name.text, relationship.isToMany ? names.json : orNull(names.first))
      if let objects = relationship.objects {
        followed.append(relationship.name.text, objects.map { Self.members(of: $0) })
      }
    }
    members.append("relationships", relationships)
    if !counts.isEmpty { members.append("counts", counts) }
    if !followed.isEmpty { members.append("followed", followed) }
    return members
  }

  private static func value(of attributes: [ShownAttribute]) -> JSONMembers {
    var object = JSONMembers()
    for attribute in attributes { object.append(attribute.name.text, value(of: attribute.value)) }
    return object
  }

  private static func value(of content: ShownContent) -> JSONMembers {
    [
      "bytes": content.count, "kind": content.kind.rawValue, "text": content.text,
      "width": content.size.map(\.width), "height": content.size.map(\.height),
    ]
  }

  static func value(of value: ShownValue) -> JSONValue {
    switch value {
    case .none: .null
    case .bool(let value): .bool(value)
    case .integer(let number): .integer(number)
    case .real(let number): number.isFinite ? .real(number) : .string(value.line)
    case .text(let text), .date(let text): .string(text)
    case .data(let count): JSONMembers(["bytes": count]).json
    case .content(let content): self.value(of: content).json
    case .file(let name): JSONMembers(["file": name]).json
    case .tree(let tree):
      JSONMembers(["archive": ValueTree.lines(tree).joined(separator: "\n")]).json
    case .composite(let elements): self.value(of: elements).json
    }
  }
}

/// The result of showing objects.
struct ShowMessage: Message {
  /// The number of objects shown.
  var count: Int
  var hasMore: Bool

  func write(to printer: TextPrinter) throws {
    if count == 0 { try printer.line("no objects") }
    if hasMore { try printer.line("\n… and more; --limit 0 shows all") }
  }

  func write(to printer: JSONPrinter) throws {
    try printer.summary(.done, ["objects": count, "more": hasMore])
  }
}

/// A value of a keyed archive as lines, each level indented by two spaces.
enum ValueTree {
  /// The maximum number of elements to show of a list or dictionary.
  private static let shown = 50

  /// The lines of a value, at least one.
  static func lines(_ value: ModelValue) -> [String] {
    switch value {
    case .array(let elements):
      let rest = elements.count > shown ? ["… and \(elements.count - shown) more"] : []
      return ["\(elements.count) elements"] + indented(elements.prefix(shown).flatMap(lines) + rest)
    case .dictionary(let entries): return ["\(entries.count) entries"] + members(entries)
    case .object(let className, let fields):
      return value.isDecimalNumber
        ? [value.formatDescription] : [className] + members(fields)
    case .cycle(let className): return ["\(className), which contains this"]
    case .string(let text): return [text]
    default: return [value.formatDescription]
    }
  }

  private static func members(_ values: [Name: ModelValue]) -> [String] {
    let sorted = values.sorted { $0.key < $1.key }
    var text = indented(
      sorted.prefix(shown).flatMap { name, value in
        var lines = lines(value)
        lines[0] = "\(name): \(lines[0])"
        return lines
      })
    if sorted.count > shown { text.append("  … and \(sorted.count - shown) more") }
    return text
  }

  private static func indented(_ lines: [String]) -> [String] { lines.map { "  \($0)" } }
}
