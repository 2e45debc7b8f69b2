internal import CofferKit
internal import CoreDataArchive

/// A change file that was written or inspected.
struct ChangesMessage: Message {
  var summary: ChangesSummary
  /// The path of the file, as given.
  var file: String
  /// Whether the file was written.
  var isWritten = true
  var status = ExitStatus.done

  func write(to printer: TextPrinter) throws {
    let name = Terminal.printable(file)
    try printer.line(
      isWritten
        ? "\(printer.style.bold("Wrote the changes to")) \(name)"
        : printer.style.bold("\(name): changes"))
    if summary.differences.isEqual { try printer.line("  there are none") }
    try printer.block(ComparisonMessage.block(summary.differences))
    var block = FieldBlock()
    if !isWritten { block.add("store UUID", summary.storeUUID) }
    block.add("size", QuantityText.bytes(summary.byteCount))
    block.add("digest", summary.digest)
    block.add("content before", summary.contentDigestBefore)
    block.add("content after", summary.contentDigestAfter)
    try printer.block(block)
  }

  func write(to printer: JSONPrinter) throws {
    try ComparisonMessage.writeCounts(summary.differences, to: printer)
    var members: JSONObject = [
      "changes": .string(file), "storeUUID": .text(summary.storeUUID) ?? .null,
    ]
    members.append(contentsOf: ComparisonMessage.members(of: summary.differences))
    members.append("bytes", .number(summary.byteCount))
    members.append("digest", .string(summary.digest))
    members.append("contentDigestBefore", .text(summary.contentDigestBefore) ?? .null)
    members.append("contentDigestAfter", .text(summary.contentDigestAfter) ?? .null)
    members.append("reversible", .bool(summary.isReversible))
    try printer.summary(status, members)
  }
}
