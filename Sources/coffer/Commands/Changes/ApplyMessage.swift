internal import CofferKit
internal import CoreDataArchive

/// The result of applying changes.
struct ApplyMessage: Message {
  var summary: ApplySummary
  /// The path of the changed store, as given.
  var store: String

  /// The exit status.
  var status: ExitStatus { summary.errorCount > 0 ? .findings : .done }

  func write(to printer: TextPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    let differences = summary.changes.differences
    try printer.line("\(printer.style.bold("Applied the changes")) to \(Terminal.printable(store))")
    if differences.isEqual { try printer.line("  there are none") }
    try printer.block(ComparisonMessage.block(differences))
    if status == .findings {
      let count = QuantityText.count(summary.errorCount, "error")
      try printer.complain("\(count): the store did not have them before; verify it")
    }
  }

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    let differences = summary.changes.differences
    try ComparisonMessage.writeCounts(differences, to: printer)
    var members: JSONObject = [
      "target": .string(store), "storeUUID": .text(summary.storeUUID) ?? .null,
    ]
    members.append(contentsOf: ComparisonMessage.members(of: differences))
    members.append("errors", .number(summary.errorCount))
    try printer.summary(status, members)
  }
}
