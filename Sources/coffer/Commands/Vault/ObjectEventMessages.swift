internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// What happened to an object between two backups.
struct ObjectEventMessage: Message {
  var event: ObjectEvent

  func write(to printer: TextPrinter) throws {
    let authors = event.authors.isEmpty ? "" : " by \(event.authors.joined(separator: ", "))"
    let text = Terminal.printable("\(event.objectID) \(event.kind.rawValue)\(authors)")
    let line = "\(event.backup.time)  \(event.backup.id)  \(text)"
    switch event.kind {
    case .added: try printer.line(printer.style.green(line))
    case .removed: try printer.line(printer.style.red(line))
    case .changed: try printer.line(printer.style.yellow(line))
    }
    for property in event.properties {
      let old = event.kind == .added ? "" : "\(property.oldValue ?? "nothing") → "
      try show(property.words, "\(old)\(property.newValue ?? "nothing")", printer)
    }
    for relationship in event.relationships {
      var parts = relationship.added.map { "+ \($0)" } + relationship.removed.map { "- \($0)" }
      if relationship.isReordered { parts.append("other order") }
      try show(relationship.name, parts.joined(separator: ", "), printer)
    }
  }

  private func show(_ name: String, _ text: String, _ printer: TextPrinter) throws {
    try printer.line("  \(Terminal.printable("\(name): \(text)"))")
  }

  func write(to printer: JSONPrinter) throws {
    var members: JSONObject = [
      "id": .string(event.backup.id), "time": .string(event.backup.time.description),
    ]
    members.append("previous", .text(event.previous?.id))
    members.append("change", .string(event.kind.rawValue))
    members.append("entity", .string(event.objectID.entityName))
    members.append("object", .string(event.objectID.description))
    members.append("properties", .array(event.properties.map(\.json)))
    members.append("relationships", .array(event.relationships.map(Self.json)))
    members.append("authors", .array(event.authors.map { .string($0) }))
    try printer.line("event", members)
  }

  private static func json(_ relationship: RelationshipDifference) -> JSONValue {
    func names(_ ids: [ManagedObjectID]) -> JSONValue {
      .array(ids.map { .string($0.description) })
    }
    return .object([
      "name": .string(relationship.name), "added": names(relationship.added),
      "removed": names(relationship.removed), "reordered": .bool(relationship.isReordered),
    ])
  }
}

/// How much of a vault was read to follow an object.
struct ObjectHistoryMessage: Message {
  var summary: ObjectHistorySummary
  /// The vault, as given.
  var vault: String

  func write(to printer: TextPrinter) throws {
    let events = QuantityText.count(summary.eventCount, "change")
    try printer.line("\(events) in \(QuantityText.count(summary.backupCount, "backup"))")
  }

  func write(to printer: JSONPrinter) throws {
    try printer.summary(
      .done,
      [
        "vault": .string(vault), "backups": .number(summary.backupCount),
        "readBackups": .number(summary.readCount), "events": .number(summary.eventCount),
      ])
  }
}
