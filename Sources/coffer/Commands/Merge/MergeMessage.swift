internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// The result of merging stores.
struct MergeMessage: Message {
  var summary: MergeSummary
  /// The path of the merged store, as given.
  var store: String
  /// The paths of the two sources, as given.
  var paths: [String]
  var policy: MergePolicy

  private var conflicts: ConflictsMessage {
    ConflictsMessage(conflicts: summary.conflicts, winner: paths[policy.prefersOther ? 1 : 0])
  }

  func write(to printer: TextPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    try MatchingMessage(matching: summary.matching, paths: paths).write(to: printer)
    try conflicts.write(to: printer)
    try printer.line(
      "\(printer.style.bold("Merged")) \(Terminal.printable(paths[1])) into "
        + Terminal.printable(store))
    if let selection = summary.selection {
      try printer.line("  selected: \(selection.text(ofOthers: "not taken"))")
    }
    if summary.differences.isEqual { try printer.line("  nothing to change") }
    try printer.block(ComparisonMessage.block(summary.differences))
    if summary.consequenceCount > 0 {
      try printer.line(
        "  \(QuantityText.count(summary.consequenceCount, "object")) deleted by delete rules")
    }
  }

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    try MatchingMessage(matching: summary.matching, paths: paths).write(to: printer)
    try conflicts.write(to: printer)
    try ComparisonMessage.writeCounts(summary.differences, to: printer)
    var members: JSONObject = [
      "target": .string(store), "storeUUID": .text(summary.storeUUID) ?? .null,
    ]
    members.append(contentsOf: ComparisonMessage.members(of: summary.differences))
    if let selection = summary.selection { members.append(contentsOf: selection.members) }
    members.append("conflicts", .number(summary.conflicts.count))
    members.append("consequences", .number(summary.consequenceCount))
    try printer.summary(.done, members)
  }
}
