internal import CofferKit

/// Why an object is in the copy.
struct AnonymizedObjectMessage: Message {
  var object: AnonymizedObject

  func write(to printer: TextPrinter) throws {
    let reason =
      if let relationship = object.relationship, let from = object.from {
        "\(relationship) of \(from)"
      } else {
        "chosen"
      }
    try printer.line(Terminal.printable("\(object.id): \(reason)"))
  }

  func write(to printer: JSONPrinter) throws {
    try printer.line([
      "type": "object", "object": object.id.description,
      "relationship": orNull(object.relationship?.text), "from": orNull(object.from?.description),
    ])
  }
}

struct AnonymizeMessage: Message {
  var summary: AnonymizationSummary
  /// The path of the target, as given.
  var target: String

  func write(to printer: TextPrinter) throws {
    try printer.content(summary.content, "Shared", to: target)
    try printer.line("  store UUID     \(Terminal.printable(summary.storeUUID))")
    try printer.line("  selected       \(summary.selection.text(ofOthers: "unset"))")
    for cut in summary.cuts {
      let name = Terminal.printable("\(cut.entityName).\(cut.relationshipName)")
      try printer.line("  cut            \(name): \(QuantityText.count(cut.count))")
    }
    try printer.line("  values         \(values)")
    for (code, count) in findings {
      try printer.line("  finding        \(code): \(QuantityText.count(count))")
    }
    try writeStaying(to: printer)
    if !summary.statements.isEmpty {
      try printer.heading("Their SQL is kept, with the values in it")
      for name in summary.statements { try printer.line(Terminal.printable("  \(name)")) }
    }
    guard !summary.enumerations.isEmpty else { return }
    try printer.heading("Attributes with few different values; keep them if they are not secret")
    for (attribute, count) in summary.enumerations {
      let values = QuantityText.count(count, "value")
      try printer.line(Terminal.printable("  --keep \(attribute)  (\(values))"))
    }
  }

  private var values: String {
    if !summary.isReplaced { return "the original ones" }
    if summary.isAnonymous { return "anonymous: all were replaced" }
    if summary.kept.isEmpty { return "replaced, except those below" }
    return Terminal.printable("replaced, except \(summary.kept.joined(separator: ", "))")
  }

  /// Names every attribute with values that stay, an entity a line.
  private func writeStaying(to printer: TextPrinter) throws {
    guard !summary.staying.isEmpty else { return }
    try printer.heading(
      "Some values of these stay: true, false, whole numbers below 1,000, names in JSON and lists")
    let parts = summary.staying.map { $0.split(separator: ".", maxSplits: 1) }
    var entities: [(name: Substring, attributes: [Substring])] = []
    for part in parts {
      guard let name = part.first, let attribute = part.last else { continue }
      if let place = entities.firstIndex(where: { $0.name == name }) {
        entities[place].attributes.append(attribute)
      } else {
        entities.append((name, [attribute]))
      }
    }
    for entity in entities {
      let attributes = entity.attributes.joined(separator: ", ")
      try printer.line(Terminal.printable("  \(entity.name): \(attributes)"))
    }
  }

  private var findings: [(code: String, count: Int)] {
    summary.findings.map { ($0.key.text, $0.value) }.sorted { $0.0 < $1.0 }
  }

  func write(to printer: JSONPrinter) throws {
    var members: JSONMembers = ["target": target, "storeUUID": summary.storeUUID]
    members.append(contentsOf: summary.content.members)
    members.append(contentsOf: summary.selection.members)
    members.append(contentsOf: [
      "cuts": summary.cuts.map {
        JSONMembers(["relationship": "\($0.entityName).\($0.relationshipName)", "count": $0.count])
      },
      "replaced": summary.isReplaced, "anonymous": summary.isAnonymous,
      "kept": summary.kept.map(\.text),
      "staying": summary.staying,
      "statements": summary.statements,
      "enumerations": summary.enumerations.map {
        JSONMembers(["attribute": $0.attribute.text, "values": $0.count])
      },
      "findings": findings.map { JSONMembers(["code": $0.code, "count": $0.count]) },
    ])
    try printer.summary(.done, members)
  }
}
