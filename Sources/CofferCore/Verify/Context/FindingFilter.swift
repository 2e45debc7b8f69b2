/// Counts findings and passes the requested ones to the caller.
package final class FindingFilter {
  private let options: VerificationOptions
  private let receiver: (Finding) throws -> Void
  /// The number of reported findings of each severity.
  package private(set) var counts: [FindingSeverity: Int] = [:]
  /// The number of findings of each code that were passed on one by one.
  private var told: [FindingCode: Int] = [:]
  /// The number of other findings, by their kind.
  private var rest: [Kind: Int] = [:]
  /// The kinds that were only counted most recently; some occur in every row; they are
  /// found without hashing.
  private var recent: [(kind: Kind, count: Int)] = []
  private static let maxRecent = 8

  /// The common part of findings that differ only in their objects.
  private struct Kind: Hashable {
    var code: FindingCode
    var entityName: Name?
    var propertyName: Name?
  }

  /// The checks that could not run.
  package var notRun: Set<CheckName> = []

  package init(_ options: VerificationOptions, receiver: @escaping (Finding) throws -> Void) {
    self.options = options
    self.receiver = receiver
  }

  /// Passes on a finding, unless its code or check was not requested.
  package func report(_ finding: Finding) throws {
    if count(finding.code, finding.entityName, finding.propertyName) { try receiver(finding) }
  }

  /// Passes on a requested finding, regardless of the number of findings of its code.
  func insist(_ finding: Finding) throws {
    guard options.wants(finding.code) else { return }
    counts[finding.severity, default: 0] += 1
    try receiver(finding)
  }

  func handOn(_ finding: Finding) throws { try receiver(finding) }

  /// Counts a finding; returns whether to pass it on: it was requested, and the maximum number is not exceeded.
  func count(_ code: FindingCode, _ entityName: Name?, _ propertyName: Name?) -> Bool {
    for index in recent.indices
    where recent[index].kind.code == code && recent[index].kind.entityName == entityName
      && recent[index].kind.propertyName == propertyName
    {
      recent[index].count += 1
      return false
    }
    guard options.wants(code) else { return false }
    let number = told[code, default: 0]
    if number < options.environment.limits.findings {
      told[code] = number + 1
      counts[code.severity, default: 0] += 1
      return true
    }
    if recent.count == Self.maxRecent { settle() }
    recent.append((Kind(code: code, entityName: entityName, propertyName: propertyName), 1))
    return false
  }

  /// Adds the kinds that were counted last to the others.
  private func settle() {
    for (kind, count) in recent {
      rest[kind, default: 0] += count
      counts[kind.code.severity, default: 0] += count
    }
    recent = []
  }

  /// Hands on one finding for all of a kind that were only counted.
  package func reportRest() throws {
    settle()
    let kinds = rest.map { kind, count in
      (
        finding: Finding(
          kind.code, entityName: kind.entityName, propertyName: kind.propertyName,
          detail: "and \(count) more, which are only counted"), count: count
      )
    }
    rest = [:]
    for (finding, count) in kinds.sorted(by: { $0.finding.description < $1.finding.description }) {
      var finding = finding
      finding.multiplicity = count
      try receiver(finding)
    }
  }
}
