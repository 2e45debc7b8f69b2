internal import CoreDataModel
internal import CoreDataStore

/// Drops what of the persistent history leads nowhere: changes, and references to texts.
struct HistoryFixer: Fixer {
  static let codes: Set<FindingCode> = [
    .changeWithoutTransaction, .changeOfUnknownEntity, .invalidChange, .danglingHistoryString,
  ]
  private let mending: HistoryMending
  /// One finding leads to all of its code.
  private let mended = MendedSubjects<FindingCode>()

  init(_ context: RepairContext) { mending = HistoryMending(context.editor) }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    let count: Int
    if let known = mended.count(finding.code) {
      count = known
    } else {
      count = try mend(finding.code)
      mended.note(finding.code, count)
    }
    guard count > 0 else { return .settled }
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
