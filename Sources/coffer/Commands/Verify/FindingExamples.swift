internal import CofferKit

/// The number of findings of each code, with the first few of each.
struct FindingExamples {
  /// The findings of one code.
  struct Group {
    let code: FindingCode
    /// The number of findings.
    var count = 0
    var examples: [Finding] = []

    /// The number of findings that are not among the examples.
    var hiddenCount: Int { count - examples.count }
  }

  /// The maximum number of examples per code.
  static let limit = 5

  private var byCode: [FindingCode: Group] = [:]

  /// The codes that occurred, sorted by severity, then by text.
  var groups: [Group] {
    byCode.values.sorted { first, second in
      first.code.severity == second.code.severity
        ? first.code.text < second.code.text : first.code.severity > second.code.severity
    }
  }

  mutating func add(_ finding: Finding) {
    var group = byCode[finding.code] ?? Group(code: finding.code)
    group.count += finding.multiplicity
    if finding.multiplicity == 1, group.examples.count < Self.limit {
      group.examples.append(finding)
    }
    byCode[finding.code] = group
  }
}
