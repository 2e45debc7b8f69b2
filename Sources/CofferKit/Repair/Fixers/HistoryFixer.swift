internal import CoreDataModel
internal import CoreDataStore

/// Drops what of the persistent history leads nowhere: changes, and references to texts.
struct HistoryFixer: Fixer {
  static let codes: Set<FindingCode> = [
    .changeWithoutTransaction, .changeOfUnknownEntity, .invalidChange, .danglingHistoryString,
  ]
  private let mending: HistoryMending
  private let done = Done()

  /// What became of the codes: one finding leads to all of its code.
  private final class Done {
    var counts: [FindingCode: Int] = [:]
  }

  init(_ context: RepairContext) { mending = HistoryMending(context.editor) }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    if done.counts[finding.code] == nil { done.counts[finding.code] = try mend(finding.code) }
    guard (done.counts[finding.code] ?? 0) > 0 else { return .settled }
    return .repaired(
      finding.code == .danglingHistoryString ? "unset the reference" : "remove the change")
  }

  private func mend(_ code: FindingCode) throws(CofferError) -> Int {
    switch code {
    case .changeWithoutTransaction: try mending.removeChangesWithoutTransaction()
    case .changeOfUnknownEntity: try mending.removeChangesOfUnknownEntities()
    case .invalidChange: try mending.removeInvalidChanges()
    default: try mending.unsetMissingTexts()
    }
  }
}
