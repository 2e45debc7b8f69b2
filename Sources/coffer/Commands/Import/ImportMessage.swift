internal import CofferKit

struct ImportMessage: ResultMessage {
  var summary: ImportSummary
  /// The path of the store, as given.
  var store: String
  /// The word that begins the answer.
  var verb = "Imported"
  /// The backup that it comes from, if it was chosen in a vault.
  var backup: Backup?

  var status: ExitStatus { (summary.counts[.error] ?? 0) > 0 ? .findings : .done }

  func write(to printer: TextPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    try printer.content(summary.content, verb, to: store)
    if let backup { try printer.line("  backup         \(backup.id), \(backup.moment)") }
    if let uuid = summary.storeUUID {
      try printer.line("  store UUID     \(Terminal.printable(uuid))")
    }
    if let selection = summary.selection {
      try printer.line("  selected       \(selection.text(ofOthers: "unset"))")
    }
    let losses = summary.losses.flatMap(\.text)
    if let losses { try printer.line("  lost           \(losses)") }
    if !summary.digest.isEmpty {
      try printer.line("  digest         \(summary.digest)")
      if !summary.contentDigest.isEmpty {
        try printer.line("  content digest \(summary.contentDigest)")
      }
    }
    if status == .findings {
      let count = QuantityText.count(summary.counts[.error] ?? 0, "error")
      try printer.complain(
        losses == nil
          ? "\(count): the store is restored with these defects"
          : "\(count): the store is restored without the lost data; verify it")
    }
  }

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    var members: JSONMembers = ["store": store, "storeUUID": orNull(summary.storeUUID)]
    members.append(contentsOf: summary.content.members)
    members.append(contentsOf: [
      "errors": summary.counts[.error] ?? 0, "warnings": summary.counts[.warning] ?? 0,
      "infos": summary.counts[.info] ?? 0, "digest": summary.digest,
      "contentDigest": summary.contentDigest,
    ])
    if let selection = summary.selection {
      members.append(contentsOf: selection.members)
    }
    if let backup {
      members.append(contentsOf: ["backup": backup.id, "time": backup.moment.description])
    }
    if let losses = summary.losses { members.append(contentsOf: losses.members) }
    try printer.summary(status, members)
  }
}
