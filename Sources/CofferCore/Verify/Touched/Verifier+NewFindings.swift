internal import CoreDataModel
internal import CoreDataStore

extension Verifier {
  /// The findings of a store that an earlier state of it did not have, by verifying only the rows that can have
  /// some.
  ///
  /// SQLite checks the whole store: if two tables of the earlier state used the same page, a change of one
  /// damages the other. With a finding of SQLite, or if a state cannot be read, all rows have to be verified.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - earlier: the store with the earlier state, and the same files.
  /// - Returns: the errors and warnings that the earlier state did not have, a limited number of each kind; nil if all
  ///   rows of both have to be verified.
  /// - Throws: `CancellationError`.
  package func newFindings(in path: String, since earlier: String) throws -> FindingCollector? {
    guard options.objectChecks.isEmpty else { return nil }
    do {
      let old = try PersistentStore(verifying: earlier, options)
      defer { old.close() }
      let new = try PersistentStore(verifying: path, options)
      defer { new.close() }
      guard let touched = try TouchedRows.between(old, new) else { return nil }
      let counts = FindingCounts()
      var isSound = true
      let summary = try verify(new, touched) { finding in
        if finding.code.check == .sqlite { isSound = false }
        if finding.severity > .info { counts.add(finding) }
      }
      guard isSound, summary.checks.contains(.sqlite) else { return nil }
      var others = self
      others.options.checks = Set(CheckName.withOwn).subtracting([.sqlite])
      if !counts.isEmpty { try others.verify(old, touched) { counts.remove($0) } }
      if !counts.isEmpty { try others.verify(new, touched) { counts.collect($0) } }
      return counts.collected
    } catch is CofferError {
      // Verifying all rows shows the defect, and does not need the earlier state if it finds nothing.
      return nil
    }
  }

  /// Verifies some rows of objects and pairs, and everything else.
  ///
  /// Findings about these rows are only meaningful in comparison with the other state's findings.
  @discardableResult
  private func verify(
    _ store: PersistentStore, _ touched: ChangedRows, onFinding: @escaping (Finding) throws -> Void
  ) throws -> VerificationSummary {
    let verification = StoreVerification(
      store, options: options, filter: FindingFilter(options, receiver: onFinding),
      audience: .nobody, progress: progress, touched: touched)
    return try verification.complete()
  }
}
