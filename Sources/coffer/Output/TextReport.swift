internal import CofferKit

/// Shows results as text for people.
struct TextReport: Report {
  /// The most findings that are shown in full.
  static let shownFindings = 20

  let answer: LineWriter
  /// What is wrong goes here.
  let complaint = LineWriter(.error)
  let isQuiet: Bool
  let style: Style
  let complaintStyle: Style

  init(_ options: OutputOptions, answer stream: StandardStream) {
    answer = LineWriter(stream)
    isQuiet = options.quiet
    style = options.style(on: stream)
    complaintStyle = options.style(on: .error)
  }

  /// Adds a line to the answer.
  func line(_ text: String) throws {
    if !isQuiet { try answer.line(text) }
  }

  func exported(_ summary: ExportSummary, to archive: String, status: ExitStatus) throws {
    try show(summary.findings)
    try line(
      "Exported \(objects(summary.objectCount, summary.entityCount)) to \(printable(archive))")
    try line("  relationships  \(QuantityText.count(summary.relationshipCount))")
    try others(rows: summary.otherRowCount, files: summary.externalFileCount)
    try line(
      "  size           \(QuantityText.bytes(summary.byteCount)), "
        + "\(QuantityText.bytes(summary.plainByteCount)) uncompressed")
    try line("  digest         \(summary.digest)")
    if summary.isSalvaged {
      let rows = lostRows(summary.lostRowCount, isExact: summary.lostRowCountIsExact)
      let values = QuantityText.count(summary.lostValueCount, "value")
      let tables = QuantityText.count(summary.lostTableCount, "table")
      try line("  lost           \(rows), \(values), \(tables) as a whole")
    }
    if status == .findings {
      let errors = QuantityText.count(summary.errorCount, "error")
      try complain(
        summary.isSalvaged
          ? "\(errors): the archive holds what could be read of the damaged store, and says what "
            + "was lost"
          : "\(errors): the archive is complete, but something that the store refers to was missing"
      )
    }
  }

  func imported(_ summary: ImportSummary, to store: String, status: ExitStatus) throws {
    try show(summary.findings)
    try line(
      "Imported \(objects(summary.objectCount, summary.entityCount)) to \(printable(store))")
    try line("  relationships  \(QuantityText.count(summary.relationshipCount))")
    try others(rows: summary.otherRowCount, files: summary.externalFileCount)
    if let uuid = summary.storeUUID { try line("  store UUID     \(printable(uuid))") }
    if let losses = summary.losses?.text { try line("  lost           \(losses)") }
    if !summary.digest.isEmpty { try line("  digest         \(summary.digest)") }
    if status == .findings {
      let count = QuantityText.count(summary.counts[.error] ?? 0, "error")
      let isWhole = summary.losses?.text == nil
      try complain(
        isWhole
          ? "\(count): the store is restored as it was, with what was wrong in it"
          : "\(count): the store is restored without what is lost; verify it")
    }
  }

  func refused(_ findings: [Finding]) throws { try show(findings) }

  func warned(_ code: String, _ message: String) throws {
    try complaint.line("\(complaintStyle.yellow("Warning:")) \(printable(message))")
  }

  func failed(_ failure: Failure) {
    guard !failure.isSilent else { return }
    let label = complaintStyle.red("Error:")
    try? complaint.line("\(label) \(printable(failure.message))")
    if let hint = failure.hint {
      try? complaint.line("\(complaintStyle.cyan("Hint:")) \(printable(hint))")
    }
    try? complaint.flush()
  }

  func finish() throws {
    try answer.flush()
    try complaint.flush()
  }

  /// A text that a terminal can be shown.
  func printable(_ text: String) -> String { Terminal.printable(text) }

  /// How many rows were lost, in words.
  func lostRows(_ count: Int, isExact: Bool) -> String {
    let rows = QuantityText.count(count, "row")
    return isExact ? rows : count == 0 ? "an unknown number of rows" : "about \(rows)"
  }

  private func objects(_ count: Int, _ entities: Int) -> String {
    let of = QuantityText.count(entities, "entity", "entities")
    return "\(QuantityText.count(count, "object")) of \(of)"
  }

  private func others(rows: Int, files: Int) throws {
    if files > 0 { try line("  external data  \(QuantityText.count(files, "file"))") }
    if rows > 0 { try line("  other rows     \(QuantityText.count(rows))") }
  }

  /// Shows findings, the worst first; when quiet, errors alone.
  private func show(_ findings: [Finding]) throws {
    let wanted = findings.filter { !isQuiet || $0.severity == .error }
    let sorted = FindingSeverity.allCases.reversed()
      .flatMap { severity in wanted.filter { $0.severity == severity } }
    for finding in sorted.prefix(Self.shownFindings) {
      try complain(printable(finding.description), finding.severity)
    }
    let rest = sorted.count - Self.shownFindings
    if rest > 0 { try complaint.line("… and \(QuantityText.count(rest)) more; --json lists them") }
  }

  private func complain(_ text: String, _ severity: FindingSeverity = .error) throws {
    switch severity {
    case .error: try complaint.line(complaintStyle.red(text))
    case .warning: try complaint.line(complaintStyle.yellow(text))
    case .info: try complaint.line(text)
    }
  }
}
