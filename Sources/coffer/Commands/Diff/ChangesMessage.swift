internal import CofferKit

/// A change file that was written or inspected.
struct ChangesMessage: Message {
  var summary: ChangesSummary
  /// The path of the file, as given.
  var file: String
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
    var members: JSONMembers = ["changes": file, "storeUUID": orNull(summary.storeUUID)]
    members.append(contentsOf: ComparisonMessage.members(of: summary.differences))
    members.append(contentsOf: [
      "bytes": summary.byteCount, "digest": summary.digest,
      "contentDigestBefore": orNull(summary.contentDigestBefore),
      "contentDigestAfter": orNull(summary.contentDigestAfter),
      "reversible": summary.isReversible,
    ])
    try printer.summary(status, members)
  }
}
