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

  package init(
    objectCount: Int = 0, counts: [FindingSeverity: Int] = [:], checks: [CheckName] = [],
    checksNotRun: [CheckName] = [], kind: SourceKind, storeUUID: String? = nil,
    contentDigest: String? = nil
  ) {
    self.objectCount = objectCount
    self.counts = counts
    self.checks = checks
    self.checksNotRun = checksNotRun
    self.kind = kind
    self.storeUUID = storeUUID
    self.contentDigest = contentDigest
  }

  /// The number of findings of a severity.
  public func count(of severity: FindingSeverity) -> Int { counts[severity] ?? 0 }
}
