internal import CofferKit
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
        "store": store, "storeUUID": orNull(summary.storeUUID),
        "versions": ([summary.plan.steps.first?.oldName ?? ""] + summary.plan.steps.map(\.newName)),
        "steps": summary.plan.steps.count,
        "mappingModels": summary.plan.steps.map { orNull($0.mappingName) },
        "objects": summary.objectCount, "pairs": summary.pairCount, "entities": summary.entityCount,
        "externalFiles": summary.externalFileCount,
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
      try printer.line([
        "type": "problem", "code": problem.code.text, "entity": problem.entityName.text,
        "property": problem.propertyName?.text, "message": problem.sentence,
        "hint": problem.remedy.optionText,
      ])
    }
  }
}

struct NotesMessage: Message {
  var notes: [MigrationNote]

  func write(to printer: TextPrinter) throws {
    for note in notes where !note.code.isWarning {
      try printer.line(printer.style.yellow("Note: \(Terminal.printable(note.text))"))
    }
  }

  func write(to printer: JSONPrinter) throws {
    for note in notes where note.code != .noVersionHashes {
      try printer.line(["type": "note", "code": note.code.text, "message": note.text])
    }
  }
}
