public import CofferCore
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

extension Verifier {
  /// Verifies a store or an archive, and then compares it with an older state of the same store, on the
  /// caller's thread.
  @discardableResult
  package func verify(
    _ path: String, against older: String, onFinding: @escaping (Finding) throws -> Void
  ) throws -> VerificationSummary {
    // Report a wrong name before the long work.
    _ = try SourceKind(ofFileAt: older)
    let filter = FindingFilter(options, receiver: onFinding)
    var summary = try verify(path, filter)
    guard options.runs(.against) else { return summary }
    if let reason = try compare(path, older, filter) {
      filter.notRun.insert(.against)
      let detail = "\(CheckName.against.rawValue): \(reason)"
      try filter.report(Finding(.checkNotRun, detail: detail))
      summary.checksNotRun = CheckName.withOwn.filter(filter.notRun.contains)
    } else {
      let ran = Set(summary.checks + [.against])
      summary.checks = CheckName.withOwn.filter(ran.contains)
    }
    try filter.reportRest()
    summary.counts = filter.counts
    return summary
  }

  /// Compares the states.
  ///
  /// Returns the part that was not possible, with the reason, or nil.
  private func compare(
    _ path: String, _ older: String, _ filter: FindingFilter
  ) throws -> String? {
    // A model other than the store's is a finding.
    var options = ComparisonOptions(environment: options.environment.acceptingAnyModel)
    (options.includesCounters, options.isLimitedToObjects) = (true, true)
    options.matchesByObjectID = true
    let run = ComparisonRun(options: options, progress: progress)
    do {
      return try run.open(
        older, path, for: AgainstOlder(filter: filter, options: options, progress: progress))
    } catch let error as CofferError where error.place.path == path {
      // The verification has already reported the cause.
      switch try SourceKind(ofFileAt: path) {
      case .archive, .changes: return "the archive cannot be read: \(error.code.text)"
      case .store where error.code == .damagedStore:
        return "the store cannot be read: \(error.code.text)"
      case .store: throw error
      }
    }
  }
}

private struct AgainstOlder: SourcePairUse {
  let filter: FindingFilter
  let options: ComparisonOptions
  let progress: any ProgressReporter

  func use(_ older: some RowSource, _ newer: some RowSource) throws -> String? {
    try OlderComparison(older, newer, filter).complete(options, progress)
  }
}

extension Verifier {
  /// Verifies a store or an archive, then compares it with an older state of the same store.
  ///
  /// Each may be a store or an archive. Objects that only one of them has are normal. The
  /// comparison looks for changes that Core Data itself never makes: counters that decreased,
  /// values that changed without a new version, an entity that lost most of its objects. The
  /// findings of the comparison come last.
  ///
  /// - Parameters:
  ///   - path: the file to verify.
  ///   - older: the file to compare with, which is not verified.
  ///   - onFinding: called for every finding. If it throws, the work ends with that error.
  /// - Returns: the numbers of objects and findings. If the comparison was impossible or incomplete
  ///   because a migration rewrote the store, its model is unknown or the verified file is damaged,
  ///   a finding says so.
  /// - Throws: the same errors as `verify(_:onFinding:)` for a path, also for the older file.
  @discardableResult
  public func verify(
    _ path: String, against older: String, onFinding: @escaping @Sendable (Finding) throws -> Void
  ) async throws -> VerificationSummary {
    try await BackgroundWork.run(progress) {
      try verify(path, against: older, onFinding: onFinding)
    }
  }
}
