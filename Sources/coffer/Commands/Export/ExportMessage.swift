internal import CofferKit
internal import CoreDataArchive

/// What an export to an archive came to.
struct ExportMessage: Message {
  var summary: ExportSummary
  /// The path of the archive, as it was given, or the name of the stream.
  var archive: String

  /// The status that the program ends with.
  var status: ExitStatus { summary.errorCount > 0 ? .findings : .done }

  func write(to printer: TextPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    let objects = QuantityText.objects(summary.objectCount, entities: summary.entityCount)
    try printer.line("Exported \(objects) to \(Terminal.printable(archive))")
    try printer.line("  relationships  \(QuantityText.count(summary.relationshipCount))")
    try printer.others(rows: summary.otherRowCount, files: summary.externalFileCount)
    try printer.line(
      "  size           \(QuantityText.bytes(summary.byteCount)), "
        + "\(QuantityText.bytes(summary.plainByteCount)) uncompressed")
    try printer.line("  digest         \(summary.digest)")
    if let salvage = summary.salvage { try printer.line("  lost           \(salvage.text)") }
    if status == .findings {
      let errors = QuantityText.count(summary.errorCount, "error")
      try printer.complain(
        summary.salvage != nil
          ? "\(errors): the archive holds what could be read of the damaged store, and says what "
            + "was lost"
          : "\(errors): the archive is complete, but something that the store refers to was missing"
      )
    }
  }

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    try printer.summary(
      status,
      [
        "archive": .string(archive),
        "objects": .number(summary.objectCount),
        "relationships": .number(summary.relationshipCount),
        "entities": .number(summary.entityCount),
        "otherRows": .number(summary.otherRowCount),
        "externalFiles": .number(summary.externalFileCount),
        "bytes": .number(summary.byteCount),
        "plainBytes": .number(summary.plainByteCount),
        "errors": .number(summary.errorCount),
        "salvaged": .bool(summary.salvage != nil),
        "lostRows": .number(summary.salvage?.lostRowCount ?? 0),
        "lostRowsExact": .bool(summary.salvage?.isExact ?? true),
        "lostValues": .number(summary.salvage?.lostValueCount ?? 0),
        "lostTables": .number(summary.salvage?.lostTableCount ?? 0),
        "missingLogBytes": .number(summary.salvage?.missingLogByteCount ?? 0),
        "digest": .string(summary.digest),
      ])
  }
}
