/// What a verification came to.
public struct VerificationSummary: Sendable, Equatable {
  /// How many objects were seen.
  public var objectCount = 0
  /// How many findings of each severity were reported.
  public var counts: [FindingSeverity: Int] = [:]
  /// The checks that ran, in their order.
  public var checks: [CheckName] = []
  /// The checks that could not run, in their order.
  public var checksNotRun: [CheckName] = []
  /// What was verified.
  public var kind: SourceKind
  /// The UUID of the store; nil where it has none.
  public var storeUUID: String?

  /// How many findings of a severity there were.
  public func count(of severity: FindingSeverity) -> Int { counts[severity] ?? 0 }
}
