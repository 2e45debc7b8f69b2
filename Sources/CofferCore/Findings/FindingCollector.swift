/// Collects the findings of a command: counts all, and keeps a limited number.
///
/// A store with a million defects must not need memory for a million findings.
package struct FindingCollector {
  /// The number of findings of each code that are kept.
  package static let keptPerCode = 1000

  /// The codes that are neither kept nor counted.
  let skippedCodes: Set<FindingCode>
  package private(set) var findings: [Finding] = []
  private(set) var counts: [FindingCode: Int] = [:]

  package init(skipping codes: Set<FindingCode> = []) { skippedCodes = codes }

  /// Adds a finding; beyond ``keptPerCode``, it is only counted.
  package mutating func add(_ finding: Finding) { add(finding.code, finding) }

  /// Adds a finding of a code, which is only made where it is kept.
  mutating func add(_ code: FindingCode, _ finding: @autoclosure () -> Finding) {
    if skippedCodes.contains(code) { return }
    let count = counts[code, default: 0]
    counts[code] = count + 1
    if count < Self.keptPerCode { findings.append(finding()) }
  }

  /// The number of findings of a severity, kept or not.
  package func count(of severity: FindingSeverity) -> Int {
    counts.reduce(0) { $1.key.severity == severity ? $0 + $1.value : $0 }
  }
}
