internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// A model.
struct ModelMessage: Message {
  var model: ManagedObjectModel
  /// The source of the model, as given.
  var path: String

  func write(to printer: TextPrinter) throws {
    for (index, block) in ModelText(model).blocks.enumerated() {
      if index > 0 { try printer.line("") }
      try printer.line(printer.style.bold(Terminal.printable(block.title)))
      for text in block.lines { try printer.line(Terminal.printable(text)) }
    }
  }

  func write(to printer: JSONPrinter) throws {
    for entity in model.entities {
      guard case .object(let object) = ModelDocument.encode(entity) else { continue }
      try printer.line("entity", object)
    }
    try printer.summary(.done, model.summaryMembers(path))
  }
}

/// The result of writing a model to a file.
struct WrittenModelMessage: Message {
  var model: ManagedObjectModel
  var format: ModelFormat
  /// The path of the file, as given.
  var path: String

  func write(to printer: TextPrinter) throws {
    let entities = QuantityText.count(model.entities.count, "entity", "entities")
    try printer.line("Wrote \(Terminal.printable(path)): \(format.words) of \(entities)")
  }

  func write(to printer: JSONPrinter) throws {
    var members = model.summaryMembers(path)
    members.append("format", .string(format.rawValue))
    try printer.summary(.done, members)
  }
}

extension ManagedObjectModel {
  /// The common members of summaries about a model.
  fileprivate func summaryMembers(_ path: String) -> JSONObject {
    [
      "path": .string(path), "entities": .number(entities.count),
      "attributes": .number(entities.reduce(0) { $0 + $1.attributes.count }),
      "relationships": .number(entities.reduce(0) { $0 + $1.relationships.count }),
      "versionIdentifiers": .array(versionIdentifiers.map(JSONValue.string)),
    ]
  }
}
