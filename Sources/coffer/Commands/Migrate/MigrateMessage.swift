internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// The result of a migration.
struct MigrateMessage: Message {
  var summary: MigrationSummary
  /// The path of the new store, as given.
  var store: String

  func write(to printer: TextPrinter) throws {
    let objects = QuantityText.count(summary.objectCount, "object")
    let entities = QuantityText.count(summary.entityCount, "entity", "entities")
    try printer.line("Migrated \(objects) of \(entities) to \(Terminal.printable(store))")
    let names = [summary.plan.steps.first?.oldName ?? ""] + summary.plan.steps.map(\.newName)
    try printer.line("  model          \(names.map(Terminal.printable).joined(separator: " → "))")
    for step in summary.plan.steps {
      guard let name = step.mappingName else { continue }
      try printer.line("  mapping model  \(Terminal.printable(name))")
    }
    if summary.pairCount > 0 {
      try printer.line("  pairs          \(QuantityText.count(summary.pairCount))")
    }
    if summary.externalFileCount > 0 {
      try printer.line("  external data  \(QuantityText.count(summary.externalFileCount, "file"))")
    }
    if let uuid = summary.storeUUID {
      try printer.line("  store UUID     \(Terminal.printable(uuid))")
    }
    try NotesMessage(notes: summary.notes).write(to: printer)
  }

  func write(to printer: JSONPrinter) throws {
    try NotesMessage(notes: summary.notes).write(to: printer)
    try printer.summary(
      .done,
      [
        "store": .string(store),
        "storeUUID": summary.storeUUID.map { .string($0) } ?? .null,
        "versions": .array(
          ([summary.plan.steps.first?.oldName ?? ""] + summary.plan.steps.map(\.newName))
            .map { .string($0) }),
        "steps": .number(summary.plan.steps.count),
        "mappingModels": .array(
          summary.plan.steps.map { $0.mappingName.map { .string($0) } ?? .null }),
        "objects": .number(summary.objectCount),
        "pairs": .number(summary.pairCount),
        "entities": .number(summary.entityCount),
        "externalFiles": .number(summary.externalFileCount),
      ])
  }
}

/// The problems that make a migration impossible.
struct ProblemsMessage: Message {
  var problems: [MappingProblem]

  func write(to printer: TextPrinter) throws {
    for problem in problems {
      try printer.complaint.line(
        printer.complaintStyle.red(Terminal.printable(problem.description)))
      try printer.complaint.line("    \(Terminal.printable(problem.remedy.optionText))")
    }
  }

  func write(to printer: JSONPrinter) throws {
    for problem in problems {
      var object: JSONObject = [
        "code": .string(problem.code.text), "entity": .string(problem.entityName.text),
      ]
      object.append("property", .text(problem.propertyName?.text))
      object.append("message", .string(problem.sentence))
      object.append("hint", .string(problem.remedy.optionText))
      try printer.line("problem", object)
    }
  }
}

/// The notes of a migration.
struct NotesMessage: Message {
  var notes: [MigrationNote]

  func write(to printer: TextPrinter) throws {
    for note in notes where !note.code.isWarning {
      try printer.line(printer.style.yellow("Note: \(Terminal.printable(note.text))"))
    }
  }

  func write(to printer: JSONPrinter) throws {
    for note in notes where note.code != .noVersionHashes {
      try printer.line("note", ["code": .string(note.code.text), "message": .string(note.text)])
    }
  }
}
