internal import CofferKit

/// The result of an export to an archive.
struct ExportMessage: ResultMessage {
  var summary: ExportSummary
  /// The path of the archive, as given, or the name of the stream.
  var archive: String
  /// The lowest severity of a finding that ends with 3.
  var threshold: FailureThreshold
  /// The word that begins the answer.
  var verb = "Exported"

  var status: ExitStatus { threshold.status(count) }

  private func count(of severity: FindingSeverity) -> Int {
    switch severity {
    case .error: summary.errorCount
    case .warning: summary.warningCount
    case .info: summary.infoCount
    }
  }

  func write(to printer: TextPrinter) throws {
    try FindingsMessage(summary.findings, quietly: threshold.severity).write(to: printer)
    try printer.content(summary.content, verb, to: archive)
    try printer.line(
      "  size           \(QuantityText.bytes(summary.byteCount)), "
        + "\(QuantityText.bytes(summary.plainByteCount)) uncompressed")
    try printer.line("  digest         \(summary.digest)")
    try printer.line("  content digest \(summary.contentDigest)")
    if let salvage = summary.salvage { try printer.line("  lost           \(salvage.text)") }
    if status == .findings {
      let found =
        summary.errorCount > 0
        ? QuantityText.count(summary.errorCount, "error")
        : QuantityText.count(summary.warningCount, "warning")
      try printer.complain(
        summary.salvage != nil
          ? "\(found): the archive contains the readable data of the damaged store and lists what "
            + "was lost"
          : "\(found): the archive is complete\(limit)")
    }
  }

  /// What errors mean for a complete archive, as the rest of the sentence.
  private var limit: String {
    if summary.findings.contains(where: { $0.code == .convertedValue }) {
      return ", but no import restores every value exactly"
    }
    return summary.errorCount > 0 ? ", but data that the store refers to was missing" : ""
  }

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    var members: JSONMembers = ["archive": archive]
    members.append(contentsOf: summary.content.members)
    members.append(contentsOf: [
      "bytes": summary.byteCount, "plainBytes": summary.plainByteCount,
      "errors": summary.errorCount, "warnings": summary.warningCount, "infos": summary.infoCount,
    ])
    members.append(contentsOf: Self.members(of: summary.salvage))
    members.append(contentsOf: ["digest": summary.digest, "contentDigest": summary.contentDigest])
    try printer.summary(status, members)
  }

  static func members(of losses: SalvageFacts?) -> JSONMembers {
    [
      "salvaged": losses != nil, "lostRows": losses?.lostRowCount ?? 0,
      "lostRowsExact": losses?.isExact ?? true, "lostValues": losses?.lostValueCount ?? 0,
      "lostTables": losses?.lostTableCount ?? 0,
      "missingLogBytes": losses?.missingLogByteCount ?? 0,
    ]
  }
}
