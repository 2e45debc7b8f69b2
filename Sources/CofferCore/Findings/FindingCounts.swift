/// Tells the findings of a result from those that there were before.
///
/// A store with a million defects must not need memory for a million findings: of each only a hash is kept, so
/// all are reported once more to collect those that are left.
///
/// A class: a closure that escapes counts.
package final class FindingCounts {
  /// How often each finding was reported, by its hash.
  private var counts: [Int: Int32] = [:]
  /// What was left and came once more, in the order of its reports.
  package private(set) var collected = FindingCollector()

  package init() {}

  /// Whether nothing is left.
  package var isEmpty: Bool { counts.isEmpty }

  /// Counts a report of a finding.
  package func add(_ finding: Finding) { counts[finding.hashValue, default: 0] &+= 1 }

  /// Takes back one report of a finding.
  package func remove(_ finding: Finding) { take(finding.hashValue) }

  /// Collects a finding of which a report is left, and takes that back.
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
