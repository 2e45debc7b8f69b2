public import CofferComparison
public import CofferCore

/// A change that fixes a finding.
public struct Repair: Sendable, Hashable {
  /// The finding.
  public var finding: Finding
  /// The change, as a clause without values of the user's data: `unset the relationship`.
  public var change: String
}

/// A finding that could not be repaired.
public struct UnrepairedFinding: Sendable, Hashable {
  /// The finding.
  public var finding: Finding
  /// Why it stays, as a clause.
  public var reason: String
}

/// The outcome of a repair.
public enum RepairOutcome: Sendable, Hashable {
  /// A change fixes it.
  case repaired(Repair)
  case stays(UnrepairedFinding)
}

/// The number of remaining findings of a code.
package struct RemainingFindings: Sendable, Hashable {
  /// The code.
  package var code: FindingCode
  /// The number of findings.
  package var count: Int
}

/// The result of a repair, or of planning one.
public struct RepairSummary: Sendable {
  /// The changes, in the order in which they are made: the first 1,000 of each code.
  public private(set) var repairs: [Repair] = []
  /// The number of all changes, by the codes of their findings.
  public private(set) var repairCounts: [FindingCode: Int] = [:]
  /// The findings that could not be repaired: the first 1,000 of each code.
  public private(set) var unrepaired: [UnrepairedFinding] = []
  /// The number of all findings that could not be repaired, by their codes.
  public private(set) var unrepairedCounts: [FindingCode: Int] = [:]
  /// The effects of the decisions.
  package internal(set) var decidedChanges: [DecidedChange] = []
  /// The remaining findings, worst first, then sorted by the texts of the codes.
  package private(set) var remaining: [RemainingFindings] = []
  /// The differences between the store before and after, as reported by a comparison by object IDs, which
  /// counts only the objects that it read.
  public internal(set) var differences = ComparisonSummary(firstKind: .store, secondKind: .store)
  /// The change file with the plan; nil if none was written.
  public internal(set) var plan: ChangesSummary?
  /// The UUID of the store; nil if it has none.
  public internal(set) var storeUUID: String?

  /// The number of changes that fix findings by rules.
  public var repairCount: Int { repairCounts.values.reduce(0, +) }

  /// The number of objects that decisions change or delete, and of the objects that are deleted with them.
  public var decidedCount: Int {
    decidedChanges.reduce(0) { $0 + $1.objectCount + $1.cascadedCount }
  }

  /// The number of remaining errors.
  public var errorCount: Int {
    remaining.reduce(0) { $1.code.severity == .error ? $0 + $1.count : $0 }
  }

  mutating func add(_ outcome: RepairOutcome) {
    switch outcome {
    case .repaired(let repair):
      let count = repairCounts[repair.finding.code, default: 0]
      repairCounts[repair.finding.code] = count + 1
      if count < FindingCollector.keptPerCode { repairs.append(repair) }
    case .stays(let finding):
      let count = unrepairedCounts[finding.finding.code, default: 0]
      unrepairedCounts[finding.finding.code] = count + 1
      if count < FindingCollector.keptPerCode { unrepaired.append(finding) }
    }
  }

  mutating func add(_ counts: [FindingCode: Int]) {
    remaining = counts.map { RemainingFindings(code: $0.key, count: $0.value) }.sorted {
      $0.code.severity == $1.code.severity
        ? $0.code.text < $1.code.text : $0.code.severity > $1.code.severity
    }
  }
}
