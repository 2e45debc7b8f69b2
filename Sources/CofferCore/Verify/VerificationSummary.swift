/// The result of a verification.
public struct VerificationSummary: Sendable, Equatable {
  /// The number of objects read.
  public var objectCount = 0
  /// The number of reported findings of each severity.
  public var counts: [FindingSeverity: Int] = [:]
  /// The checks that ran, in order.
  public var checks: [CheckName] = []
  /// The checks that could not run, in order.
  public var checksNotRun: [CheckName] = []
  /// What was verified.
  public var kind: SourceKind
  /// The UUID of the store; nil if it has none.
  public var storeUUID: String?
  /// The content digest of an archive in hexadecimal digits; nil for a store, and if the archive's index
  /// does not match its entries.
  public var contentDigest: String?

  /// A summary without findings.
  package init(kind: SourceKind) { self.kind = kind }

  /// The number of findings of a severity.
  public func count(of severity: FindingSeverity) -> Int { counts[severity] ?? 0 }
}
