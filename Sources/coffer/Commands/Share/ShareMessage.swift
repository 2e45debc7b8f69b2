internal import CofferKit
internal import CoreDataArchive

/// Why an object is in a share.
struct SharedObjectMessage: Message {
  var object: SharedObject

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
    try printer.line(
      "object",
      [
        "object": .string(object.id.description),
        "relationship": .text(object.relationship) ?? .null,
        "from": .text(object.from?.description) ?? .null,
      ])
  }
}

/// The result of a share.
struct ShareMessage: Message {
  var summary: ShareSummary
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
    guard !summary.enumerations.isEmpty else { return }
    try printer.heading("These have few different values; keep them if they are no secrets")
    for (attribute, count) in summary.enumerations {
      let values = QuantityText.count(count, "value")
      try printer.line(Terminal.printable("  --keep \(attribute)  (\(values))"))
    }
  }

  private var values: String {
    if !summary.isAnonymous { return "the original ones" }
    if summary.kept.isEmpty { return "replaced" }
    return Terminal.printable("replaced, but for \(summary.kept.joined(separator: ", "))")
  }

  private var findings: [(code: String, count: Int)] {
    summary.findings.map { ($0.key.text, $0.value) }.sorted { $0.0 < $1.0 }
  }

  func write(to printer: JSONPrinter) throws {
    var members: JSONObject = [
      "target": .string(target), "storeUUID": .string(summary.storeUUID),
    ]
    members.append(contentsOf: summary.content.members)
    members.append(contentsOf: summary.selection.members)
    members.append(contentsOf: [
      "cuts": .array(
        summary.cuts.map {
          .object([
            "relationship": .string("\($0.entityName).\($0.relationshipName)"),
            "count": .number($0.count),
          ])
        }),
      "anonymous": .bool(summary.isAnonymous),
      "kept": .array(summary.kept.map { .string($0) }),
      "enumerations": .array(
        summary.enumerations.map {
          .object(["attribute": .string($0.attribute), "values": .number($0.count)])
        }),
      "findings": .array(
        findings.map { .object(["code": .string($0.code), "count": .number($0.count)]) }),
    ])
    try printer.summary(.done, members)
  }
}
