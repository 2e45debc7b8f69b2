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

  /// Adds a finding of a code, which is only created if it is kept.
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

/// Distinguishes new findings of a result from earlier findings.
///
/// A store with a million defects must not need memory for a million findings: only a hash of each is kept, so
/// all are reported again to collect the new ones.
///
/// A class: a closure that escapes counts.
package final class FindingCounts {
  /// The number of reports of each finding, by its hash.
  private var counts: [Int: Int32] = [:]
  /// The remaining findings that were reported again, in the order of these reports.
  package private(set) var collected = FindingCollector()

  package init() {}

  /// Whether nothing is left.
  package var isEmpty: Bool { counts.isEmpty }

  /// Counts a report of a finding.
  package func add(_ finding: Finding) { counts[finding.hashValue, default: 0] &+= 1 }

  /// Takes back one report of a finding.
  package func remove(_ finding: Finding) { take(finding.hashValue) }

  /// Collects a finding if one of its reports is left, and removes that report.
  package func collect(_ finding: Finding) {
    if take(finding.hashValue) { collected.add(finding) }
  }

  @discardableResult
  private func take(_ hash: Int) -> Bool {
    guard let count = counts[hash] else { return false }
    counts[hash] = count > 1 ? count - 1 : nil
    return true
  }
}
