internal import CofferKit

/// The result of mending an archive.
struct ArchiveRepairMessage: ResultMessage {
  /// The maximum number of entries that are named.
  private static let shown = 5

  var summary: ArchiveRepairSummary
  /// The path of the damaged archive, as given.
  var archive: String
  /// The path of the result, as given.
  var target: String
  /// Whether every entry is named.
  var showsAll: Bool

  var status: ExitStatus { summary.isWhole ? .done : .findings }

  func write(to printer: TextPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    let name = Terminal.printable(archive)
    let result = summary.isWhole ? "everything was found" : "something is lost"
    try printer.line(
      "\(printer.style.bold("\(name): \(result)")), see \(Terminal.printable(target))")
    let taken = summary.takenEntries
    for entry in taken.prefix(showsAll ? .max : Self.shown) {
      try printer.line("  from another archive  \(Terminal.printable(entry))")
    }
    if !showsAll, taken.count > Self.shown {
      try printer.line(
        "  … and \(QuantityText.count(taken.count - Self.shown)) more; --all shows them")
    }
    var block = FieldBlock()
    if let losses = summary.losses {
      block.add("lost", losses.text ?? "nothing")
    }
    block.add("digest", summary.digest)
    block.add("content digest", summary.contentDigest)
    try printer.block(block)
  }

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    for entry in summary.takenEntries {
      try printer.line(["type": "taken", "entry": entry])
    }
    var members: JSONMembers = [
      "archive": target, "whole": summary.isWhole, "taken": summary.takenEntries.count,
      "bytes": summary.byteCount, "digest": summary.digest, "contentDigest": summary.contentDigest,
    ]
    if let losses = summary.losses { members.append(contentsOf: losses.members) }
    try printer.summary(status, members)
  }
}
