/// What the verifier found, by code.
public struct FindingReport: Sendable {
  /// The findings of one code.
  public struct Group: Sendable {
    /// The code with its explanations.
    public var code: FindingCode
    /// How many there are.
    public var count: Int
    /// The first of them, at most ``StoreReporter/exampleLimit``.
    public var examples: [Finding]
  }

  /// The codes that were found, the worst first, then those with most findings.
  public var groups: [Group]
  /// The checks that ran, in their order.
  public var checks: [CheckName]
  /// The checks that could not run, in their order.
  public var checksNotRun: [CheckName]
  /// Why the rows could not be read to their end; nil when they could.
  public var problem: String?

  /// How many findings there are.
  public var count: Int { groups.reduce(0) { $0 + $1.count } }

  /// How many findings of a severity there are.
  public func count(of severity: FindingSeverity) -> Int {
    groups.reduce(0) { $1.code.severity == severity ? $0 + $1.count : $0 }
  }

  /// How many findings of a code there are.
  func count(of code: FindingCode) -> Int { groups.first { $0.code == code }?.count ?? 0 }
}
