internal import CofferKit
internal import CoreDataModel

/// Findings of a command other than a verification.
struct FindingsMessage: Message {
  /// The maximum number of findings in text.
  private static let shown = 20

  var findings: [Finding]
  /// The lowest severity that is written with `--quiet`.
  var threshold: FindingSeverity

  init(_ findings: [Finding], quietly threshold: FindingSeverity = .error) {
    self.findings = findings
    self.threshold = threshold
  }

  /// Writes the worst findings first; with `--quiet`, only those that reach the threshold.
  func write(to printer: TextPrinter) throws {
    let wanted = findings.filter { !printer.isQuiet || $0.severity >= threshold }
    let sorted = FindingSeverity.allCases.reversed()
      .flatMap { severity in wanted.filter { $0.severity == severity } }
    for finding in sorted.prefix(Self.shown) {
      try printer.complain(Terminal.printable(finding.description), finding.severity)
    }
    let rest = sorted.count - Self.shown
    if rest > 0 {
      try printer.complaint.line("… and \(QuantityText.count(rest)) more; --json lists them")
    }
  }

  func write(to printer: JSONPrinter) throws {
    for finding in findings { try Self.line(finding, [:], to: printer) }
  }

  /// Writes a finding as JSON, with additional members before its own.
  static func line(_ finding: Finding, _ members: JSONMembers, to printer: JSONPrinter) throws {
    var members = members
    members.append(contentsOf: Self.members(of: finding))
    try printer.line(["type": "finding"] + members)
  }

  private static func members(of finding: Finding) -> JSONMembers {
    var object: JSONMembers = [
      "severity": finding.severity.rawValue, "code": finding.code.text,
      "check": finding.code.check.rawValue, "entity": finding.entityName?.text,
      "object": finding.objectID?.description, "property": finding.propertyName?.text,
      "message": finding.code.meaning,
    ]
    if !finding.detail.isEmpty { object.append("detail", finding.detail) }
    return object
  }
}

extension Session {
  /// Does something, and prints the findings or the conflicts of an error that ends it.
  func printingEvidence<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as CofferError {
      let messages: [any Message] =
        (error.findings.isEmpty ? [] : [FindingsMessage(error.findings)])
        + (error.mergeConflicts.count == 0
          ? [] : [ConflictsMessage(conflicts: error.mergeConflicts)])
      guard !messages.isEmpty else { throw error }
      eraseProgress()
      for message in messages { try printer.print(message) }
      try printer.finish()
      throw error
    }
  }
}
