internal import CofferKit

/// Writes findings as text: grouped by severity and code, with a few examples of each.
///
/// With `--all`, findings are written immediately, because they may not all fit in memory.
final class TextVerification: VerificationReport {
  /// The headings for the severities, the worst first.
  private static let headings: [(FindingSeverity, String)] = [
    (.error, "Errors"), (.warning, "Warnings"), (.info, "Notes"),
  ]

  /// The codes of damaged pages, which come first: others can follow from them.
  private static let pageDamage: Set<FindingCode> = [.sqliteDamage, .unreadableTable]

  private let printer: TextPrinter
  private let path: String
  private let showsAll: Bool
  private let threshold: FailureThreshold
  private var examples = FindingExamples()
  /// Whether anything has been written.
  private var hasShown = false

  /// Creates a report about a file, named by its path as given.
  init(_ printer: TextPrinter, path: String, showsAll: Bool, threshold: FailureThreshold) {
    self.printer = printer
    self.path = path
    self.showsAll = showsAll
    self.threshold = threshold
  }

  func found(_ finding: Finding) throws {
    guard isWanted(finding.severity) else { return }
    guard showsAll else { return examples.add(finding) }
    let text = "\(finding.description) [\(finding.code.text)]"
    hasShown = true
    try printer.answer.line(printer.style.colored(Terminal.printable(text), finding.severity))
  }

  func verified(_ outcome: VerificationOutcome) throws {
    try showExamples()
    if !printer.isQuiet { try show(outcome) }
    try printer.finish()
  }

  func failed(_ failure: Failure) throws {
    try showExamples()
    try printer.finish()
  }

  /// Whether to write a finding: with `--quiet`, only those that reach the threshold.
  private func isWanted(_ severity: FindingSeverity) -> Bool {
    !printer.isQuiet || threshold.isReached(by: severity)
  }

  private func showExamples() throws {
    let damage = examples.groups.filter { Self.pageDamage.contains($0.code) }
    let groups = examples.groups.filter { !Self.pageDamage.contains($0.code) }
    if !damage.isEmpty {
      try separate()
      try printer.answer.line(printer.style.bold("Damage"))
      for group in damage { try show(group, remedy: nil) }
      try showRemedy(FindingCode.sqliteDamage.remedyText(path))
    }
    for (severity, heading) in Self.headings {
      let ofSeverity = groups.filter { $0.code.severity == severity }
      guard !ofSeverity.isEmpty else { continue }
      try separate()
      try printer.answer.line(printer.style.bold(heading))
      for group in ofSeverity {
        let explain = "coffer verify --explain \(group.code.text)"
        let remedy = group.code.remedyText(path)
        try show(group, remedy: remedy.isEmpty ? explain : "\(remedy) (\(explain))")
      }
    }
  }

  /// Shows the findings of a code, and their remedy unless it follows for several codes.
  private func show(_ group: FindingExamples.Group, remedy: String?) throws {
    let code = group.code
    let count = QuantityText.count(group.count)
    let title = "\(code.meaning): \(count) (\(code.text))"
    try printer.answer.line("  \(printer.style.colored(title, code.severity))")
    for finding in group.examples {
      let line = [finding.place, finding.detail].filter { !$0.isEmpty }.joined(separator: ": ")
      if !line.isEmpty { try printer.answer.line("    \(Terminal.printable(line))") }
    }
    if group.hiddenCount > 0 {
      let rest = QuantityText.count(group.hiddenCount)
      try printer.answer.line("    … and \(rest) more; --all shows them")
    }
    if let remedy { try showRemedy("  \(remedy)") }
  }

  private func showRemedy(_ text: String) throws {
    guard !printer.isQuiet else { return }
    let indent = text.prefix { $0 == " " }
    try printer.line(
      "  \(indent)\(printer.style.cyan("What to do:")) \(text.dropFirst(indent.count))")
  }

  private func show(_ outcome: VerificationOutcome) throws {
    let summary = outcome.summary
    var block = FieldBlock()
    block.add("store UUID", summary.storeUUID)
    block.add("objects", QuantityText.count(summary.objectCount))
    block.add("content digest", summary.contentDigest)
    let checks = summary.checks
    block.add("checks", checks.count > 4 ? QuantityText.count(checks.count) : Self.names(checks))
    let notRun = summary.checksNotRun
    block.add("could not run", notRun.isEmpty ? nil : Self.names(notRun))
    block.add("time", QuantityText.elapsed(outcome.elapsed))
    try separate()
    try printer.line(printer.style.bold("\(Terminal.printable(path)): \(summary.kind.rawValue)"))
    try printer.block(block)
    try printer.line("")
    try printer.line(verdict(outcome))
  }

  /// Writes an empty line, unless it would be the first.
  private func separate() throws {
    if hasShown { try printer.line("") }
    hasShown = true
  }

  /// The summary in one line.
  private func verdict(_ outcome: VerificationOutcome) -> String {
    let summary = outcome.summary
    let counts = [
      (summary.count(of: .error), "error"), (summary.count(of: .warning), "warning"),
      (summary.count(of: .info), "note"),
    ]
    let found = counts.filter { $0.0 > 0 }.map { QuantityText.count($0.0, $0.1) }
    var text = "\(Terminal.printable(path)): "
    text += found.isEmpty ? "no findings" : found.joined(separator: ", ")
    let notRun = summary.checksNotRun.count
    if notRun > 0 { text += "; \(QuantityText.count(notRun, "check")) could not run" }
    return switch (outcome.status, found.isEmpty && notRun == 0) {
    case (.done, true): printer.style.green(text)
    case (.done, false): text
    default: printer.style.red(text)
    }
  }

  private static func names(_ checks: [CheckName]) -> String {
    checks.map(\.rawValue).joined(separator: ", ")
  }
}
