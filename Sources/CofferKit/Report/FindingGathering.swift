/// Collects findings by code: counts all, and keeps a few of each.
final class FindingGathering {
  private var kept: [FindingCode: FindingReport.Group] = [:]

  /// Adds a finding.
  func add(_ finding: Finding) {
    var group =
      kept[finding.code] ?? FindingReport.Group(code: finding.code, count: 0, examples: [])
    group.count += 1
    if group.examples.count < StoreReporter.exampleLimit { group.examples.append(finding) }
    kept[finding.code] = group
  }

  /// The codes of the findings, worst first, then by number of findings.
  var groups: [FindingReport.Group] {
    kept.values.sorted { left, right in
      let (one, other) = (left.code, right.code)
      if one.severity != other.severity { return one.severity > other.severity }
      return left.count != right.count ? left.count > right.count : one.text < other.text
    }
  }
}
