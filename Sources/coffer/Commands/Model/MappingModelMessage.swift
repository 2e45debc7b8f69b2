internal import CofferKit
internal import CoreDataModel

struct MappingModelMessage: Message {
  var mapping: MappingModel
  /// The path of the mapping model, as given.
  var path: String

  func write(to printer: TextPrinter) throws {
    let count = QuantityText.count(mapping.entities.count, "entity mapping")
    try printer.line(printer.style.bold("\(Terminal.printable(path)): \(count)"))
    try Self.show(mapping, printer)
  }

  func write(to printer: JSONPrinter) throws {
    try Self.show(mapping, printer)
    try printer.summary(.done, ["path": path, "mappings": mapping.entities.count])
  }

  /// Prints the entity mappings.
  static func show(_ mapping: MappingModel, _ printer: TextPrinter) throws {
    for entity in mapping.entities {
      let title = "\(entity.number) \(entity.name): \(text(of: entity))"
      let styled = Terminal.printable(title)
      switch entity.kind {
      case .add: try printer.line(printer.style.green("+ \(styled)"))
      case .remove: try printer.line(printer.style.red("- \(styled)"))
      case .transform, .custom: try printer.line(printer.style.yellow("~ \(styled)"))
      }
      for property in entity.attributes + entity.relationships {
        guard let value = text(of: property) else { continue }
        try printer.line("    \(Terminal.printable("\(property.name) = \(value)"))")
      }
    }
  }

  private static func text(of entity: MappingModel.Entity) -> String {
    var text = [entity.sourceName, entity.destinationName].map { $0?.text ?? "nothing" }
      .joined(separator: " → ")
    if let filter = entity.filter { text += ", where \(filter)" }
    if let name = entity.policyClass { text += ", by the class \(name)" }
    if !entity.fillsIn { text += ", with its own expressions only" }
    return text
  }

  /// The expression that the author gave a property; nil for the expression that Xcode fills in.
  private static func text(of property: MappingModel.Property) -> String? {
    if let expression = property.expression { return expression.mappingText }
    guard let name = property.mappingName else { return nil }
    return "\(property.keyPath ?? property.name.text), by \(name)"
  }

  /// Prints the entity mappings.
  static func show(_ mapping: MappingModel, _ printer: JSONPrinter) throws {
    for entity in mapping.entities {
      try printer.line([
        "type": "entityMapping", "name": entity.name.text, "number": entity.number,
        "kind": entity.kind.rawValue, "source": entity.sourceName?.text,
        "destination": entity.destinationName?.text, "filter": entity.filter,
        "policyClass": entity.policyClass, "fillsIn": entity.fillsIn,
        "attributes": entity.attributes.map { Self.object($0) },
        "relationships": entity.relationships.map { Self.object($0) },
      ])
    }
  }

  private static func object(_ property: MappingModel.Property) -> JSONMembers {
    [
      "name": property.name.text, "expression": property.expression?.mappingText,
      "mapping": property.mappingName?.text, "keyPath": property.keyPath,
    ]
  }
}
