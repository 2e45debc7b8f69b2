/// The findings of the verifier, by code.
public struct FindingReport: Sendable {
  /// The findings of one code.
  public struct Group: Sendable {
    /// The code with its explanations.
    public var code: FindingCode
    /// The number of findings.
    public var count: Int
    /// The first findings, at most ``StoreReporter/exampleLimit``.
    public var examples: [Finding]
  }

  /// The codes of the findings, worst first, then by number of findings.
  public var groups: [Group]
  /// The checks that ran, in their order.
  public var checks: [CheckName]
  /// The checks that could not run, in their order.
  public var checksNotRun: [CheckName]
  /// The reason why not all rows could be read; nil if they could.
  public var problem: String?

  /// The number of findings.
  public var count: Int { groups.reduce(0) { $0 + $1.count } }

  /// The number of findings of a severity.
  public func count(of severity: FindingSeverity) -> Int {
    groups.reduce(0) { $1.code.severity == severity ? $0 + $1.count : $0 }
  }

  /// The number of findings with a code.
  func count(of code: FindingCode) -> Int { groups.first { $0.code == code }?.count ?? 0 }
}
