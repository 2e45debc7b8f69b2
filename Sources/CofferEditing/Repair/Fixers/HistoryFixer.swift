internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Drops changes and references to texts that lead nowhere, and corrects what the rows of the persistent
/// history say of themselves.
struct HistoryFixer: Fixer {
  static let codes: Set<FindingCode> = [
    .changeWithoutTransaction, .changeOfUnknownEntity, .invalidChange, .danglingHistoryString,
    .invalidTransactionTime, .wrongHistoryEntity, .surplusChangedProperties,
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
    let change =
      switch finding.code {
      case .danglingHistoryString: "unset the reference"
      case .invalidTransactionTime: "set the time of the transaction beside it"
      case .wrongHistoryEntity: "set the number of the table's entity"
      case .surplusChangedProperties: "cut the list of changed properties"
      default: "remove the change"
      }
    return .repaired(change)
  }

  private func mend(_ code: FindingCode) throws(CofferError) -> Int {
    switch code {
    case .changeWithoutTransaction: try mending.removeChangesWithoutTransaction()
    case .changeOfUnknownEntity: try mending.removeChangesOfUnknownEntities()
    case .invalidChange: try mending.removeInvalidChanges()
    case .invalidTransactionTime: try mending.setMissingTimes()
    case .wrongHistoryEntity: try mending.renumberRows()
    case .surplusChangedProperties: try mending.cutMasks()
    default: try mending.unsetMissingTexts()
    }
  }
}
