internal import CofferKit
internal import CoreDataModel

/// One difference between two stores.
struct DifferenceMessage: Message {
  var difference: Difference
  /// Whether the values of an object are on its line.
  var isOneLine = false

  func write(to printer: TextPrinter) throws {
    switch difference {
    case .store(let store):
      let name = store.name.isEmpty ? "" : " \(store.name)"
      try change(store.kind, "store: \(store.subject.words)\(name)", printer)
      try values(nil, store.oldValue, store.newValue, printer)
    case .object(let object):
      let names = object.properties.map(\.words).joined(separator: ", ")
      let list = names.isEmpty ? "" : ": \(isOneLine ? Self.inline(object) : names)"
      let before = object.oldObjectID.map { old in
        old.entityName == object.objectID.entityName
          ? " (was p\(old.primaryKey))" : " (was \(old))"
      }
      try change(object.kind, "\(object.objectID)\(before ?? "")\(list)", printer)
      for property in object.properties where !isOneLine {
        if object.lacksOldValues {
          let value = "\(property.words): \(property.newValue ?? "nothing")"
          try printer.line("    \(Terminal.printable(value))")
        } else {
          try values(property.words, property.oldValue, property.newValue, printer)
        }
      }
    case .pair(let pair):
      let (source, destination) = (Self.key(pair.source), Self.key(pair.destination))
      try change(
        pair.kind, "\(pair.entityName).\(pair.relationshipName): \(source) → \(destination)",
        printer)
    case .rows: break
    case .externalData(let file):
      let sizes = [file.oldByteCount, file.newByteCount].compactMap { $0 }
        .map(QuantityText.bytes).joined(separator: " → ")
      let words = sizes.isEmpty ? "" : " (\(sizes))"
      try change(file.kind, "external data: \(file.name)\(words)", printer)
    }
  }

  func write(to printer: JSONPrinter) throws {
    switch difference {
    case .store(let store):
      try printer.line([
        "type": "difference", "about": store.subject.rawValue, "change": store.kind.rawValue,
        "name": store.name, "old": store.oldValue, "new": store.newValue,
      ])
    case .object(let object): try show(object, printer)
    case .pair(let pair):
      try printer.line([
        "type": "difference", "about": "pair", "change": pair.kind.rawValue,
        "entity": pair.entityName.text, "relationship": pair.relationshipName.text,
        "source": orNull(pair.source), "destination": orNull(pair.destination),
      ])
    case .rows(let rows):
      try printer.line([
        "type": "difference", "about": "rows", "subject": rows.subject.rawValue,
        "table": rows.tableName, "added": rows.added, "removed": rows.removed,
        "changed": rows.changed,
      ])
    case .externalData(let file):
      try printer.line([
        "type": "difference", "about": "external-data", "change": file.kind.rawValue,
        "name": file.name, "oldBytes": file.oldByteCount, "newBytes": file.newByteCount,
      ])
    }
  }

  private func change(_ kind: ChangeKind, _ text: String, _ printer: TextPrinter) throws {
    switch kind {
    case .added: try printer.line(printer.style.green("+ \(Terminal.printable(text))"))
    case .removed: try printer.line(printer.style.red("- \(Terminal.printable(text))"))
    case .changed: try printer.line(printer.style.yellow("~ \(Terminal.printable(text))"))
    }
  }

  private func values(_ name: String?, _ old: String?, _ new: String?, _ printer: TextPrinter)
    throws
  {
    guard old != nil || new != nil else { return }
    let label = name.map { "\($0): " } ?? ""
    try printer.line(
      "    \(Terminal.printable("\(label)\(old ?? "nothing") → \(new ?? "nothing")"))")
  }

  /// The properties with their values: both values for a changed object, otherwise the only one.
  private static func inline(_ object: ObjectDifference) -> String {
    object.properties.map { property in
      let values = [property.oldValue, property.newValue]
      return object.kind == .changed
        ? "\(property.words) \(values.map { $0 ?? "nothing" }.joined(separator: " → "))"
        : "\(property.words) \(values.compactMap { $0 }.joined())"
    }.joined(separator: "; ")
  }

  private static func key(_ key: Int64?) -> String { key.map { "p\($0)" } ?? "(no key)" }

  private func show(_ difference: ObjectDifference, _ printer: JSONPrinter) throws {
    var object: JSONMembers = [
      "type": "difference", "about": "object", "change": difference.kind.rawValue,
      "entity": difference.objectID.entityName.text, "object": difference.objectID.description,
      "oldObject": difference.oldObjectID?.description,
    ]
    if difference.kind == .changed || !difference.properties.isEmpty {
      object.append("properties", difference.properties.map(\.members))
    }
    try printer.line(object)
  }
}

extension PropertyDifference {
  var members: JSONMembers {
    ["kind": subject.rawValue, "name": name.text, "old": oldValue, "new": newValue]
  }
}

extension StoreDifference.Subject {
  var words: String {
    switch self {
    case .storeUUID: "UUID"
    case .metadata: "metadata"
    case .model: "model"
    case .entityNumber: "entity number"
    case .primaryKeyCounter: "primary key counter"
    case .setting: "setting"
    case .schema: "definition"
    }
  }
}
