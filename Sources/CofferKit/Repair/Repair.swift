/// A change that mends a finding.
public struct Repair: Sendable, Hashable {
  /// The finding.
  public var finding: Finding
  /// What is changed, as a clause without values of the user's data: `unset the relationship`.
  public var change: String
}

/// A finding that was to be repaired, and stays.
public struct UnrepairedFinding: Sendable, Hashable {
  /// The finding.
  public var finding: Finding
  /// Why it stays, as a clause.
  public var reason: String
}

/// How many findings of a code are left.
public struct RemainingFindings: Sendable, Hashable {
  /// The code.
  public var code: FindingCode
  /// The number of findings.
  public var count: Int

  /// Counts findings: the worst first, then sorted by the texts of the codes.
  static func counted(_ findings: [Finding]) -> [RemainingFindings] {
    var counts: [FindingCode: Int] = [:]
    for finding in findings { counts[finding.code, default: 0] += finding.multiplicity }
    return sorted(counts)
  }

  /// The numbers of findings by code: the worst first, then sorted by the texts of the codes.
  static func sorted(_ counts: [FindingCode: Int]) -> [RemainingFindings] {
    counts.map { RemainingFindings(code: $0.key, count: $0.value) }.sorted {
      $0.code.severity == $1.code.severity
        ? $0.code.text < $1.code.text : $0.code.severity > $1.code.severity
    }
  }
}

/// The result of a repair, or of planning one.
public struct RepairSummary: Sendable {
  /// The changes, in the order in which they are made.
  public var repairs: [Repair] = []
  /// The findings that were to be repaired, and stay.
  public var unrepaired: [UnrepairedFinding] = []
  /// What is left afterwards, the worst first, then sorted by the texts of the codes.
  public var remaining: [RemainingFindings] = []
  /// What differs between the store before and after, as a comparison of the two has it.
  public var differences = ComparisonSummary(firstKind: .store, secondKind: .store)
  /// The file of changes with the plan; nil if none was written.
  public var plan: ChangesSummary?
  /// The UUID of the store; nil if it has none.
  public var storeUUID: String?

  /// The number of errors that are left.
  public var errorCount: Int {
    remaining.reduce(0) { $1.code.severity == .error ? $0 + $1.count : $0 }
  }
}
