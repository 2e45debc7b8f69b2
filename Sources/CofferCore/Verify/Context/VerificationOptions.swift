/// Options for verifying a store or an archive.
public struct VerificationOptions: Sendable {
  /// The checks to run; nil for all of them.
  public var checks: Set<CheckName>?
  /// The app's own checks.
  ///
  /// They run in addition to the others, in this order for each object.
  public var objectChecks: [any ObjectCheck] = []
  /// The codes not to report.
  public var skippedCodes: Set<FindingCode> = []
  /// Whether to check every index of a store too, which takes about ten times as long as checking
  /// only the pages.
  public var isDeep = false
  /// The environment for reading the store or archive, with the folder for temporary keys and records.
  ///
  /// A model other than the environment's is a finding.
  public var environment = WorkEnvironment()
  /// The memory limit in bytes, for keys and for records each, before they go to a temporary file.
  package var memory = 5 << 19
  /// The number of threads besides the caller's that prepare rows; no result depends on it.
  package var threads = ParallelLineDecoder.usualThreads
  /// The size in bytes above which a store is read on another thread.
  package var smallestDividedStore = 4 << 20

  /// Creates the default options: every check, no model.
  public init() {}

  /// Whether a check runs.
  ///
  /// ``CheckName/verification`` always does.
  package func runs(_ check: CheckName) -> Bool {
    check == .verification || (checks?.contains(check) ?? true)
  }

  /// Whether to report findings of a code.
  ///
  /// A check may report codes of another check. Codes that reading itself reports, not a selected
  /// check, follow the selection of checks too.
  func wants(_ code: FindingCode) -> Bool {
    if skippedCodes.contains(code) { return false }
    return code.check == .archive || code.check == .sqlite ? runs(code.check) : true
  }
}
