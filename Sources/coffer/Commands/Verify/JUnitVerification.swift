internal import CofferKit

/// Writes a verification as JUnit XML: one test suite with a test case for each check.
///
/// A check fails if it has findings that reach the threshold; other findings are in its output.
final class JUnitVerification: VerificationReport {
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
    try write(cases(summary), properties)
  }

  func failed(_ failure: Failure) throws {
    try write(cases(nil) + [.completion(failure)], [])
  }

  private func write(_ cases: [JUnitDocument.Case], _ properties: [(String, String)]) throws {
    let suite = JUnitDocument.Suite(name: path, properties: properties, cases: cases)
    try JUnitDocument(name: "coffer verify", suites: [suite]).write(to: answer)
  }

  /// The checks that ran, could not run, or have findings, in the order of the checks.
  private func cases(_ summary: VerificationSummary?) -> [JUnitDocument.Case] {
    let groups = examples.groups
    let ran = Set(summary?.checks ?? [])
    let notRun = Set(summary?.checksNotRun ?? [])
    return CheckName.allCases.compactMap { check in
      let own = groups.filter { $0.code.check == check }
      guard ran.contains(check) || notRun.contains(check) || !own.isEmpty else { return nil }
      let failures = own.filter { threshold.isReached(by: $0.code.severity) }
      let others = own.filter { !threshold.isReached(by: $0.code.severity) }
      var item = JUnitDocument.Case(
        className: "coffer", name: check.rawValue, output: Self.text(others))
      if let first = failures.first {
        let codes = failures.map { "\($0.code.text) (\($0.count))" }.joined(separator: ", ")
        item.outcome = .failed(type: first.code.text, message: codes, text: Self.text(failures))
      } else if notRun.contains(check) {
        item.outcome = .skipped(reasons[check] ?? "the check could not run")
      }
      return item
    }
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
      if !code.remedy.isEmpty { lines.append("  What to do: \(code.remedyText())") }
    }
    return lines.joined(separator: "\n")
  }
}
