internal import CofferKit
internal import CoreDataModel

struct MappingModelMessage: Message {
  var mapping: MappingModel
  /// The path of the mapping model, as given.
  var path: String

  func write(to printer: TextPrinter) throws {
    let count = QuantityText.count(mapping.entities.count, "entity mapping")
    try printer.line(printer.style.bold("\(Terminal.printable(path)): \(count)"))
    try Self.show(mapping.entities, printer)
  }

  func write(to printer: JSONPrinter) throws {
    try Self.show(mapping.entities, printer)
    try printer.summary(.done, ["path": path, "mappings": mapping.entities.count])
  }

  static func show(_ entities: [MappingModel.Entity], _ printer: TextPrinter) throws {
    for entity in entities {
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

  static func show(_ entities: [MappingModel.Entity], _ printer: JSONPrinter) throws {
    for entity in entities {
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

/// The parts of a mapping model that inference would not give.
struct MappingComparisonMessage: Message {
  var comparison: MappingComparison
  var mapping: MappingModel
  /// The path of the mapping model, as given.
  var path: String

  func write(to printer: TextPrinter) throws {
    let count = QuantityText.count(mapping.entities.count, "entity mapping")
    let unlike = QuantityText.count(comparison.entities.count)
    try printer.line(
      printer.style.bold(
        Terminal.printable(
          "\(path): \(count), \(unlike) unlike the inferred ones from \(comparison.oldName) to "
            + comparison.newName)))
    for entity in comparison.entities {
      try MappingModelMessage.show([entity], printer)
      guard let names = comparison.omitted[entity.name] else { continue }
      try printer.line("    only defaults: \(Terminal.printable(names.listed()))")
    }
    for name in comparison.leftBehind {
      try printer.line(
        printer.style.red(
          "- \(Terminal.printable(name.text)): no entity mapping; inference keeps its objects"))
    }
    for problem in comparison.problems {
      try printer.line(
        Terminal.printable("inference is not possible: \(problem.place): \(problem.sentence)"))
    }
  }

  func write(to printer: JSONPrinter) throws {
    try MappingModelMessage.show(comparison.entities, printer)
    try printer.summary(
      .done,
      [
        "path": path, "mappings": mapping.entities.count, "from": comparison.oldName,
        "to": comparison.newName, "different": comparison.entities.count,
        "omitted": comparison.omitted.sorted { $0.key < $1.key }.flatMap { rule in
          rule.value.map { "\(rule.key).\($0)" }
        }, "leftBehind": comparison.leftBehind.map(\.text),
        "problems": comparison.problems.map { "\($0.place): \($0.sentence)" },
      ])
  }
}
