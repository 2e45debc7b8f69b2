/// How often each finding was reported.
///
/// A class: a closure that escapes counts.
final class FindingCounts {
  private var counts: [Finding: Int] = [:]

  /// Whether all reports were taken back.
  var isEmpty: Bool { counts.isEmpty }

  /// Counts a report of a finding.
  func add(_ finding: Finding) { counts[finding, default: 0] += 1 }

  /// Takes back one report of a finding.
  func remove(_ finding: Finding) {
    if let count = counts[finding] { counts[finding] = count > 1 ? count - 1 : nil }
  }

  /// What is left, in the order of the findings' texts.
  func collected() -> FindingCollector {
    var collector = FindingCollector()
    for (finding, count) in counts.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      for _ in 0..<count { collector.add(finding) }
    }
    return collector
  }
}
