internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// The result of removing duplicates.
struct DedupeMessage: Message {
  var summary: DeduplicationSummary
  /// The path of the store, as given.
  var store: String
  /// The path of the new store, as given; nil if the store was replaced.
  var target: String?

  func write(to printer: TextPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    let name = Terminal.printable(store)
    guard summary.duplicateCount > 0 else {
      try printer.line("\(name) has no duplicates\(target == nil ? "" : ": copied")")
      return try DuplicatesMessage(entities: summary.entities).write(to: printer)
    }
    let count = QuantityText.count(summary.duplicateCount, "duplicate")
    let place = target.map { ", written to \(Terminal.printable($0))" } ?? ""
    try printer.line("\(printer.style.bold("Removed \(count)")) from \(name)\(place)")
    var block = FieldBlock()
    for entity in summary.entities where entity.duplicateCount > 0 {
      block.add(
        entity.entityName,
        "\(QuantityText.count(entity.duplicateCount)) of "
          + "\(QuantityText.count(entity.objectCount)), by \(entity.rule.keyPaths.joined(separator: ", "))"
      )
    }
    if summary.movedCount > 0 {
      block.add("moved", QuantityText.count(summary.movedCount, "relationship"))
    }
    if summary.cascadedCount > 0 {
      block.add(
        "also removed", QuantityText.count(summary.cascadedCount, "object") + " that they owned")
    }
    try printer.block(block)
    try DuplicatesMessage(entities: summary.entities).write(to: printer)
  }

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    try DuplicatesMessage(entities: summary.entities).write(to: printer)
    try ComparisonMessage.writeCounts(summary.differences, to: printer)
    var members: JSONObject = [
      "store": .string(store), "target": .string(target ?? store),
      "storeUUID": .text(summary.storeUUID) ?? .null,
      "duplicates": .number(summary.duplicateCount), "moved": .number(summary.movedCount),
      "cascaded": .number(summary.cascadedCount),
    ]
    members.append(contentsOf: ComparisonMessage.members(of: summary.differences))
    try printer.summary(.done, members)
  }
}

/// What was found of the entities whose duplicates were looked for.
struct DuplicatesMessage: Message {
  var entities: [EntityDuplicates]

  /// The lines about keys that identify nothing.
  func write(to printer: TextPrinter) throws {
    for entity in entities {
      let names = entity.rule.keyPaths.joined(separator: ", ")
      if entity.incompleteCount > 0 {
        let examples = entity.incompleteExamples.map(\.description)
          .listed(of: entity.incompleteCount)
        try printer.line(
          Terminal.printable(
            "\(entity.entityName): \(QuantityText.count(entity.incompleteCount)) without a value in "
              + "\(names) stay: \(examples)"))
      }
      if entity.sharedCount > 0 {
        let keys = QuantityText.count(entity.sharedCount, "key")
        try printer.line(
          Terminal.printable(
            "\(entity.entityName): objects of another entity have \(keys) too; they stay"))
      }
    }
  }

  func write(to printer: JSONPrinter) throws {
    for entity in entities {
      var object: JSONObject = [
        "entity": .string(entity.entityName), "rule": .string(entity.rule.text),
        "properties": .array(entity.rule.keyPaths.map(JSONValue.string)),
        "objects": .number(entity.objectCount), "duplicates": .number(entity.duplicateCount),
      ]
      if entity.incompleteCount > 0 {
        object.append("incomplete", .number(entity.incompleteCount))
        object.append(
          "examples", .array(entity.incompleteExamples.map { .string($0.description) }))
      }
      if entity.sharedCount > 0 { object.append("shared", .number(entity.sharedCount)) }
      try printer.line("duplicates", object)
    }
  }
}
