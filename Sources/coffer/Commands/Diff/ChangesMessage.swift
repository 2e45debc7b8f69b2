internal import CofferKit
internal import CoreDataArchive

/// The result of writing or reading a file of changes.
struct ChangesMessage: Message {
  var summary: ChangesSummary
  /// The path of the file, as given.
  var file: String

  /// What was done, in bold.
  var heading = "Wrote the changes to"

  /// The exit status.
  var status: ExitStatus { summary.differences.isEqual ? .done : .findings }

  func write(to printer: TextPrinter) throws {
    try printer.line("\(printer.style.bold(heading)) \(Terminal.printable(file))")
    if summary.differences.isEqual { try printer.line("  there are none") }
    try printer.block(ComparisonMessage.block(summary.differences))
    if summary.byteCount > 0 {
      try printer.line("  size           \(QuantityText.bytes(summary.byteCount))")
    }
    try printer.line("  digest         \(summary.digest)")
  }

  func write(to printer: JSONPrinter) throws {
    try ComparisonMessage.writeCounts(summary.differences, to: printer)
    var members: JSONObject = ["changes": .string(file)]
    members.append(contentsOf: ComparisonMessage.members(of: summary.differences))
    members.append("bytes", .number(summary.byteCount))
    members.append("digest", .string(summary.digest))
    try printer.summary(status, members)
  }
}
