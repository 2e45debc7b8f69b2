internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

extension Verifier {
  /// Verifies a store or an archive, and then compares it with an older state of the same store.
  ///
  /// Each of the two may be a store or an archive. Objects that only one of them has are normal;
  /// what the comparison looks for is what Core Data itself never does: counters that fell, values
  /// that changed without being counted, an entity that lost most of its objects. The findings of the
  /// comparison come behind all others.
  ///
  /// - Parameters:
  ///   - path: the file that is verified.
  ///   - older: the file that it is compared with; that file itself is not verified.
  ///   - report: called for every finding; what it throws ends the work.
  /// - Returns: how much was seen, and how many findings there were. Where the comparison was not
  ///   possible or not complete, because a migration made the store anew, its model is not known or
  ///   the verified file is damaged, a finding says so.
  /// - Throws: as `verify(_:report:)` of a path, also for the older file.
  @discardableResult
  public func verify(
    _ path: String, against older: String, report: @escaping (Finding) throws -> Void
  ) throws -> VerificationSummary {
    // A name that is wrong should not be found out after the long work.
    _ = try SourceKind(ofFileAt: older)
    let filter = FindingFilter(options, receiver: report)
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

  /// Compares; returns what was not possible and why, or nil.
  private func compare(
    _ path: String, _ older: String, _ filter: FindingFilter
  ) throws -> String? {
    var options = ComparisonOptions(
      access: options.access, archiveAccess: options.archiveAccess)
    (options.includesCounters, options.isLimitedToObjects) = (true, true)
    let run = ComparisonRun(options: options, progress: progress)
    do {
      return try run.open(
        older, path, for: AgainstOlder(filter: filter, options: options, progress: progress))
    } catch let error as CofferError where error.place.path == path {
      // The verification has reported what it is.
      switch try SourceKind(ofFileAt: path) {
      case .archive: return "the archive cannot be read: \(error.code.text)"
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
