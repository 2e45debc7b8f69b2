internal import CofferCore
internal import CoreDataModel

/// The findings of the copy that the store does not have.
extension EditedCopy {
  /// Verifies the copy, and refuses new errors.
  ///
  /// The copy must have all its files, as for ``compare(_:onDifference:)``.
  ///
  /// - Returns: the warnings that the store did not have, a limited number of each kind.
  /// - Throws: ``CofferError`` with `new-findings` if there are errors that the store did not have;
  ///   errors from reading.
  func requireSoundness() throws -> [Finding] { try requireNoErrors(newFindings()) }

  /// Verifies the copy, as far as the edit can have changed its findings, and compares them with the store's.
  ///
  /// The copy must have all its files, as for ``compare(_:onDifference:)``.
  ///
  /// - Returns: the errors and warnings that the store did not have, a limited number of each kind.
  func newFindings() throws -> FindingCollector {
    try newFindingsOfTouchedRows() ?? newFindingsOfAllRows()
  }

  /// The new findings, by verifying only the rows that can have some; nil if all rows have to be verified.
  func newFindingsOfTouchedRows() throws -> FindingCollector? {
    try Verifier(options: verificationOptions).newFindings(in: placement.working.store, since: path)
  }

  /// The new findings, by verifying all rows.
  func newFindingsOfAllRows() throws -> FindingCollector {
    let counts = FindingCounts()
    try verifyCopy { if $0.severity > .info { counts.add($0) } }
    if !counts.isEmpty { try verifyStore { counts.remove($0) } }
    if !counts.isEmpty { try verifyCopy { counts.collect($0) } }
    return counts.collected
  }

  func verifyStore(_ report: @escaping (Finding) throws -> Void) throws { try verify(path, report) }

  /// Passes on every finding of the copy, which must have all its files.
  func verifyCopy(_ report: @escaping (Finding) throws -> Void) throws {
    try verify(placement.working.store, report)
  }

  private func verify(_ path: String, _ report: @escaping (Finding) throws -> Void) throws {
    try Verifier(options: verificationOptions).verify(path, onFinding: report)
  }

  private var verificationOptions: VerificationOptions {
    var options = VerificationOptions()
    options.environment = environment
    options.environment.storeAccess = .inPlace
    options.environment.limits.findings = .max
    options.objectChecks = objectChecks
    return options
  }

  /// Refuses findings that the store did not have, if they are errors.
  ///
  /// - Throws: ``CofferError`` with `new-findings` if there are errors.
  func requireNoErrors(
    _ found: FindingCollector,
    advice: CofferError.Advice = "The findings name the affected objects. Nothing was written."
  ) throws(CofferError) -> [Finding] {
    let errors = found.count(of: .error)
    guard errors > 0 else { return found.findings }
    throw CofferError(
      .newFindings, path: path,
      detail: errors == 1
        ? "the result would have 1 error that the store does not have"
        : "the result would have \(errors) errors that the store does not have",
      advice: advice, evidence: found.findings)
  }
}
