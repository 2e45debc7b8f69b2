internal import CofferKit

/// How many findings of each code there were, with the first few of each.
struct FindingExamples {
  /// The findings of one code.
  struct Group {
    let code: FindingCode
    /// How many there were.
    var count = 0
    /// The first of them.
    var examples: [Finding] = []

    /// How many are not among the examples.
    var hiddenCount: Int { count - examples.count }
  }

  /// The most examples that are kept of one code.
  static let limit = 5

  private var byCode: [FindingCode: Group] = [:]

  /// Whether there was nothing.
  var isEmpty: Bool { byCode.isEmpty }

  /// The codes that occurred: the worst first, then in the order of their texts.
  var groups: [Group] {
    byCode.values.sorted { first, second in
      first.code.severity == second.code.severity
        ? first.code.text < second.code.text : first.code.severity > second.code.severity
    }
  }

  /// Takes note of a finding.
  mutating func add(_ finding: Finding) {
    var group = byCode[finding.code] ?? Group(code: finding.code)
    group.count += finding.multiplicity
    if finding.multiplicity == 1, group.examples.count < Self.limit {
      group.examples.append(finding)
    }
    byCode[finding.code] = group
  }
}
