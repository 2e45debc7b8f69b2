internal import CofferKit
internal import CoreDataModel

/// Writes a verification as JUnit XML: one test suite with a test case for each check.
///
/// A check fails if it has findings that reach the threshold; other findings are in its output. A
/// case has at most one `failure` for all codes of its check, because several readers of the format
/// use only the first.
final class JUnitVerification: VerificationReport {
  /// The state of one check.
  private struct Case {
    var check: CheckName
    var failures: [FindingExamples.Group] = []
    var others: [FindingExamples.Group] = []
    var isSkipped = false

    var hasFailed: Bool { !failures.isEmpty }
  }

  private let answer: LineWriter
  private let path: String
  private let threshold: FailureThreshold
  private var examples = FindingExamples()
  /// The reasons why checks could not run, from the findings about it.
  private var reasons: [CheckName: String] = [:]

  /// Creates a report about a file, named by its path as given.
  init(_ answer: LineWriter, path: String, threshold: FailureThreshold) {
    self.answer = answer
    self.path = path
    self.threshold = threshold
  }

  func found(_ finding: Finding) throws {
    examples.add(finding)
    guard finding.code == .checkNotRun else { return }
    // The detail consists of the names of the checks, a colon, and the reason.
    let parts = finding.detail.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return }
    let reason = String(parts[1].drop { $0 == " " })
    for name in parts[0].split(separator: ",") {
      guard let check = CheckName(rawValue: String(name.drop { $0 == " " })) else { continue }
      if reasons[check] == nil { reasons[check] = reason }
    }
  }

  func verified(_ outcome: VerificationOutcome) throws {
    let summary = outcome.summary
    var properties = [("kind", summary.kind.rawValue)]
    if let uuid = summary.storeUUID { properties.append(("storeUUID", uuid)) }
    properties.append(("objects", String(summary.objectCount)))
    try write(cases(summary), properties, failure: nil)
  }

  func failed(_ failure: Failure) throws { try write(cases(nil), [], failure: failure) }

  /// The checks that ran, could not run, or have findings, in the order of the checks.
  private func cases(_ summary: VerificationSummary?) -> [Case] {
    let groups = examples.groups
    let ran = Set(summary?.checks ?? [])
    let notRun = Set(summary?.checksNotRun ?? [])
    return CheckName.allCases.compactMap { check in
      let own = groups.filter { $0.code.check == check }
      guard ran.contains(check) || notRun.contains(check) || !own.isEmpty else { return nil }
      let failures = own.filter { threshold.isReached(by: $0.code.severity) }
      let others = own.filter { !threshold.isReached(by: $0.code.severity) }
      let isSkipped = notRun.contains(check) && failures.isEmpty
      return Case(check: check, failures: failures, others: others, isSkipped: isSkipped)
    }
  }

  private func write(
    _ cases: [Case], _ properties: [(String, String)], failure: Failure?
  ) throws {
    let counts = [
      ("tests", cases.count + (failure == nil ? 0 : 1)),
      ("failures", cases.count(where: \.hasFailed)), ("errors", failure == nil ? 0 : 1),
    ].map { ($0.0, String($0.1)) }
    let skipped = ("skipped", String(cases.count(where: \.isSkipped)))
    try answer.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    try answer.line(XMLText.tag("testsuites", [("name", "coffer verify")] + counts) + ">")
    try answer.line("  " + XMLText.tag("testsuite", [("name", path)] + counts + [skipped]) + ">")
    if !properties.isEmpty { try write(properties) }
    for item in cases { try write(item) }
    if let failure { try write(failure) }
    try answer.line("  </testsuite>")
    try answer.line("</testsuites>")
    try answer.flush()
  }

  private func write(_ properties: [(String, String)]) throws {
    try answer.line("    <properties>")
    for (name, value) in properties {
      try answer.line(
        "      " + XMLText.tag("property", [("name", name), ("value", value)]) + "/>")
    }
    try answer.line("    </properties>")
  }

  private func write(_ item: Case) throws {
    let tag = Self.caseTag(item.check.rawValue)
    guard item.hasFailed || item.isSkipped || !item.others.isEmpty else {
      return try answer.line("    \(tag)/>")
    }
    try answer.line("    \(tag)>")
    if let first = item.failures.first {
      let codes = item.failures.map { "\($0.code.text) (\($0.count))" }.joined(separator: ", ")
      let start = XMLText.tag("failure", [("type", first.code.text), ("message", codes)])
      try answer.line("      \(start)>\(Self.text(item.failures))</failure>")
    } else if item.isSkipped {
      let reason = reasons[item.check] ?? "the check could not run"
      try answer.line("      " + XMLText.tag("skipped", [("message", reason)]) + "/>")
    }
    if !item.others.isEmpty {
      try answer.line("      <system-out>\(Self.text(item.others))</system-out>")
    }
    try answer.line("    </testcase>")
  }

  /// Writes the case of a verification that failed.
  private func write(_ failure: Failure) throws {
    let start = XMLText.tag("error", [("type", failure.code), ("message", failure.message)])
    try answer.line("    \(Self.caseTag("completion"))>")
    try answer.line("      \(start)>\(XMLText.escaped(failure.hint ?? ""))</error>")
    try answer.line("    </testcase>")
  }

  private static func caseTag(_ name: String) -> String {
    XMLText.tag("testcase", [("classname", "coffer"), ("name", name)])
  }

  /// The codes with their counts, examples and remedies.
  private static func text(_ groups: [FindingExamples.Group]) -> String {
    var lines: [String] = []
    for group in groups {
      let code = group.code
      lines.append("\(code.severity.rawValue): \(code.text): \(code.meaning): \(group.count)")
      for finding in group.examples {
        let text = [finding.place, finding.detail].filter { !$0.isEmpty }.joined(separator: ": ")
        if !text.isEmpty { lines.append("  \(text)") }
      }
      if group.hiddenCount > 0 { lines.append("  … and \(group.hiddenCount) more") }
      if !code.remedy.isEmpty { lines.append("  What to do: \(code.remedy)") }
    }
    return XMLText.escaped(lines.joined(separator: "\n"))
  }
}
