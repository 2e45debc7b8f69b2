/// Gathers findings while a command works: all are counted, and up to a limit kept.
///
/// A store with a million defects must not need a million findings in memory.
struct FindingCollector {
  /// How many findings of one code are kept in full.
  static let keptPerCode = 1000

  private(set) var findings: [Finding] = []
  private(set) var counts: [FindingCode: Int] = [:]

  /// Adds a finding; beyond ``keptPerCode`` of its code it is only counted.
  mutating func add(_ finding: Finding) {
    let count = counts[finding.code, default: 0]
    counts[finding.code] = count + 1
    if count < Self.keptPerCode { findings.append(finding) }
  }

  /// How many findings there were of a severity, kept or not.
  func count(of severity: FindingSeverity) -> Int {
    counts.reduce(0) { $1.key.severity == severity ? $0 + $1.value : $0 }
  }
}
