internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// The differences between two models, and whether a store can migrate from one to the other.
struct ModelDifferenceMessage: Message {
  var difference: ModelDifference
  var mapping: ModelMapping
  /// The source of the first model, as given.
  var first: String
  /// The source of the second model, as given.
  var second: String

  /// The exit status.
  var status: ExitStatus { verdict.status }

  private var verdict: MigrationVerdict { MigrationVerdict(mapping.allProblems) }

  func write(to printer: TextPrinter) throws {
    let names = "\(Terminal.printable(first)) and \(Terminal.printable(second))"
    guard !difference.isEmpty else { return try printer.line("\(names) have the same model") }
    let count = QuantityText.count(difference.changes.count, "difference")
    try printer.line(printer.style.bold("\(names): \(count)"))
    for change in difference.changes {
      let text = Terminal.printable(change.description)
      switch change.kind {
      case .added: try printer.line(printer.style.green("+ \(text)"))
      case .removed: try printer.line(printer.style.red("- \(text)"))
      case .changed: try printer.line(printer.style.yellow("~ \(text)"))
      }
    }
    try printer.line("")
    try printer.line(
      printer.style.bold(
        "From the first to the second: \(verdict.text("stores"))\(verdict == .possible ? "." : ":")"
      ))
    try printer.show(mapping.allProblems, indent: "  ")
    if mapping.isPossible { try printer.show(mapping.conditions, indent: "  ") }
  }

  func write(to printer: JSONPrinter) throws {
    for change in difference.changes {
      var object: JSONObject = [
        "change": .string(change.kind.rawValue), "entity": .string(change.entityName),
      ]
      object.append("property", .text(change.propertyName))
      object.append("aspect", .text(change.aspect?.rawValue))
      object.append("old", .text(change.oldValue))
      object.append("new", .text(change.newValue))
      try printer.line("change", object)
    }
    for problem in mapping.allProblems { try printer.line("problem", problem.members) }
    for condition in mapping.conditions { try printer.line("condition", condition.members) }
    try printer.summary(
      status,
      [
        "first": .string(first), "second": .string(second),
        "equal": .bool(difference.isEmpty), "changes": .number(difference.changes.count),
        "possible": .bool(mapping.isPossible), "verdict": .string(verdict.rawValue),
        "problems": .number(mapping.allProblems.count),
      ])
  }
}
