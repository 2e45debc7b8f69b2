/// Collects the findings of a command: counts all, and keeps a limited number.
///
/// A store with a million defects must not need memory for a million findings.
struct FindingCollector {
  /// The number of findings of each code that are kept.
  static let keptPerCode = 1000

  private(set) var findings: [Finding] = []
  private(set) var counts: [FindingCode: Int] = [:]

  /// Adds a finding; beyond ``keptPerCode``, it is only counted.
  mutating func add(_ finding: Finding) {
    let count = counts[finding.code, default: 0]
    counts[finding.code] = count + 1
    if count < Self.keptPerCode { findings.append(finding) }
  }

  /// The number of findings of a severity, kept or not.
  func count(of severity: FindingSeverity) -> Int {
    counts.reduce(0) { $1.key.severity == severity ? $0 + $1.value : $0 }
  }
}
