public import CoreDataModel

/// How a store or an archive is verified.
public struct VerificationOptions: Sendable {
  /// The checks to run; nil for all of them.
  public var checks: Set<CheckName>?
  /// Checks of the app's own, which run beside the others, in this order for each object.
  public var objectChecks: [any ObjectCheck] = []
  /// The codes that are not reported.
  public var skippedCodes: Set<FindingCode> = []
  /// Whether every page and every index of a store is checked against each other, which takes about
  /// ten times as long as the check of the pages alone.
  public var isDeep = false
  /// A model that the store must have; nil for its own.
  public var model: ManagedObjectModel?
  /// How a store is read.
  public var access = StoreAccess.copy
  /// How an archive is read.
  public var archiveAccess = ArchiveAccess()
  /// Where a large store's keys and records go for the time of the work; nil for the system's folder.
  public var temporaryFolder: String?
  /// The bytes of memory that keys, and records, may take each before they go to a temporary file.
  package var memory = 5 << 20

  /// Creates the default: every check, no model.
  public init() {}

  /// Whether a check is to run; ``CheckName/verification`` always does.
  func runs(_ check: CheckName) -> Bool {
    check == .verification || (checks?.contains(check) ?? true)
  }

  /// Whether findings of a code are to be reported.
  ///
  /// A check that runs may report what another one looks for too; what no check of the list reports,
  /// but the reading itself, is held to the choice here.
  func wants(_ code: FindingCode) -> Bool {
    if skippedCodes.contains(code) { return false }
    return code.check == .archive || code.check == .sqlite ? runs(code.check) : true
  }
}
