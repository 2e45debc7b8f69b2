internal import CofferCore

/// The findings, each code with its explanation.
struct FindingSection: HTMLSection {
  let report: StoreReport

  let identifier = "findings"
  let title = "Findings"

  private var findings: FindingReport { report.findings }

  /// Whether there are findings, so that the section comes first.
  var isUrgent: Bool { findings.count > 0 || findings.problem != nil }

  static func identifier(of code: FindingCode) -> String { "finding-\(code.text)" }

  func write(to page: inout HTMLText) {
    if let problem = findings.problem {
      page.element("p", ["class": "problem"]) { page in
        page.element("strong", text: "Not all rows could be read. ")
        page.name(problem)
        page.write(" The figures on this page cover the rows before that.")
      }
    }
    if findings.groups.isEmpty {
      page.element("p", ["class": "good"]) { page in
        page.write(
          findings.problem == nil
            ? "✓ No findings: "
              + "\(QuantityText.count(findings.checks.count, "check")) ran."
            : "There are no findings before that.")
      }
    } else {
      page.element(
        "p", ["class": "lead"],
        text: "Findings are sorted by severity. They show locations, never values.")
    }
    for group in findings.groups { write(group, &page) }
    checks(&page)
  }

  private func write(_ group: FindingReport.Group, _ page: inout HTMLText) {
    let code = group.code
    page.element(
      "article",
      ["class": "finding \(code.severity.rawValue)", "id": Self.identifier(of: code)]
    ) { page in
      page.element("h3") { page in
        page.element(
          "span", ["class": "badge"], text: "\(code.severity.sign) \(code.severity.word)")
        page.element("code", text: code.text)
        page.element("span", ["class": "count"], text: QuantityText.count(group.count, "finding"))
      }
      page.element("p", text: code.meaningSentence)
      var facts = FactList()
      facts.add(.text("Cause"), .prose(code.cause))
      facts.add(.text("Effect"), .prose(code.effect))
      facts.add(.text("What to do"), .prose(code.remedy))
      facts.write(to: &page)
      examples(group, &page)
    }
    page.line()
  }

  private func examples(_ group: FindingReport.Group, _ page: inout HTMLText) {
    let shown = group.examples.filter { !$0.place.isEmpty || !$0.detail.isEmpty }
    guard !shown.isEmpty else { return }
    page.element("details", shown.count <= 3 ? ["open": ""] : [:]) { page in
      page.element(
        "summary",
        text: shown.count < group.count
          ? "The first \(QuantityText.count(shown.count)) of \(QuantityText.count(group.count))"
          : "Where")
      page.element("ul") { page in
        for finding in shown {
          page.element("li") { page in
            if !finding.place.isEmpty { page.element("code") { $0.name(finding.place) } }
            if !finding.detail.isEmpty {
              page.write(finding.place.isEmpty ? "" : ": ")
              page.name(finding.detail)
            }
          }
        }
      }
    }
  }

  private func checks(_ page: inout HTMLText) {
    guard !findings.checks.isEmpty || !findings.checksNotRun.isEmpty else { return }
    page.fold("Checks") { page in
      DataTable(
        caption: "Checks", hidesCaption: true, isWhole: true,
        columns: [("Check", .text), ("What it checks", .text), ("Result", .text)],
        rows: (findings.checks + findings.checksNotRun).map { check in
          [.text(check.rawValue), .text(check.subject), .text(result(of: check))]
        }
      ).write(to: &page)
    }
  }

  private func result(of check: CheckName) -> String {
    if findings.checksNotRun.contains(check) { return "could not run" }
    let count = findings.groups.reduce(0) { $1.code.check == check ? $0 + $1.count : $0 }
    return count == 0 ? "no findings" : QuantityText.count(count, "finding")
  }
}

/// The presentation of severities on a page.
extension FindingSeverity {
  var word: String { self == .info ? "note" : rawValue }

  /// A sign that distinguishes severities without colors.
  var sign: String {
    switch self {
    case .error: "✕"
    case .warning: "▲"
    case .info: "●"
    }
  }
}
