internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// One repair: verifies a store, repairs a private copy of it, and verifies that.
///
/// A repair can bring to light what a defect hid, or be in vain. Then the copy is made anew, so that there
/// is one change from the store to the result.
struct RepairRun {
  /// The maximum number of copies; each one after the first repairs what the one before has shown.
  private static let roundLimit = 8

  private let path: String
  private let options: RepairOptions
  private let progress: any ProgressReporter

  init(_ path: String, _ options: RepairOptions, _ progress: any ProgressReporter) {
    self.path = path
    self.options = options
    self.progress = progress
  }

  /// Repairs a private copy.
  ///
  /// - Parameter body: receives the copy, unless there is nothing to repair.
  /// - Returns: what was repaired, and what is left.
  /// - Throws: the errors of ``StoreRepairer/repair(_:)``; errors from the closure.
  func run(_ body: (EditedCopy, inout RepairSummary) throws -> Void) throws -> RepairSummary {
    var copy = try makeCopy()
    defer { copy.abandon() }
    let first = copy
    let before = try findings(first.verifyStore)
    var wanted = before.filter { options.repairs($0.code) }
    if !wanted.isEmpty { try requireSoundPages(before) }
    var summary = RepairSummary()
    summary.storeUUID = first.store.uuid
    var after = before
    var vain: [UnrepairedFinding] = []
    var known: Set<Finding> = []
    var round = 0
    while !wanted.isEmpty {
      round += 1
      known.formUnion(wanted.map(Self.kind))
      (summary.repairs, summary.unrepaired) = try repair(copy, wanted)
      after = try findings(copy.verifyCopy)
      let left = Set(after.map(Self.kind))
      let refused = Set(summary.unrepaired.map { Self.kind($0.finding) })
      let isVain = { (finding: Finding) in
        left.contains(Self.kind(finding)) && !refused.contains(Self.kind(finding))
      }
      let new = after.filter { options.repairs($0.code) && !known.contains(Self.kind($0)) }
      let isDone = new.isEmpty && !wanted.contains(where: isVain)
      if isDone || round == Self.roundLimit {
        try requireNothingNew(copy, before, after)
        break
      }
      vain += wanted.filter(isVain).map {
        UnrepairedFinding(finding: $0, reason: "its repair does not help")
      }
      wanted = wanted.filter { !isVain($0) } + new
      (summary.repairs, after) = ([], before)
      copy.abandon()
      copy = try makeCopy()
      try copy.requireSameState(as: first)
    }
    let left = Set(after.map(Self.kind))
    summary.remaining = RemainingFindings.counted(after)
    summary.unrepaired = (summary.unrepaired + vain).filter {
      left.contains(Self.kind($0.finding))
    }
    if !summary.repairs.isEmpty { try body(copy, &summary) }
    return summary
  }

  private func makeCopy() throws -> EditedCopy {
    let copy = try EditedCopy(
      of: path, at: nil, .link, options.editing, temporaryFolder: options.temporaryFolder,
      progress: progress)
    try copy.requireOwnModel()
    return copy
  }

  /// Refuses to change rows in pages that are damaged.
  private func requireSoundPages(_ findings: [Finding]) throws(CofferError) {
    guard findings.contains(where: { $0.code == .sqliteDamage || $0.code == .unreadableTable })
    else { return }
    throw CofferError(
      .damagedStore, path: path,
      detail: "its pages are damaged, so a change of its rows could damage more",
      advice: .salvageStore)
  }

  // MARK: Findings

  private func findings(
    _ verify: (@escaping (Finding) -> Void) throws -> Void
  ) throws -> [Finding] {
    var found: [Finding] = []
    try verify { found.append($0) }
    return found
  }

  /// A finding without details, which a repair beside it can change.
  private static func kind(_ finding: Finding) -> Finding {
    var finding = finding
    finding.detail = ""
    return finding
  }

  private func requireNothingNew(
    _ copy: EditedCopy, _ before: [Finding], _ after: [Finding]
  ) throws(CofferError) {
    let counts = FindingCounts()
    for finding in after where finding.severity > .info { counts.add(Self.kind(finding)) }
    for finding in before { counts.remove(Self.kind(finding)) }
    _ = try copy.requireNoErrors(counts)
  }

  // MARK: Changes

  private func repair(
    _ copy: EditedCopy, _ findings: [Finding]
  ) throws -> ([Repair], [UnrepairedFinding]) {
    var repairs: [Repair] = []
    var unrepaired: [UnrepairedFinding] = []
    try copy.edit { database, files in
      let editor = try ObjectEditor(database, of: copy.store)
      let context = RepairContext(
        store: copy.store, editor: editor, counters: PrimaryKeyCounters(database))
      for type in FixerList.all {
        let fixer = type.init(context)
        for (number, finding) in findings.enumerated() where type.codes.contains(finding.code) {
          if number & 0xff == 0 { try Task<Never, Never>.checkCancellation() }
          switch try fix(finding, by: fixer, in: database) {
          case .repaired(let change): repairs.append(Repair(finding: finding, change: change))
          case .settled: break
          case .refused(let reason):
            unrepaired.append(UnrepairedFinding(finding: finding, reason: reason))
          }
        }
      }
      try editor.finish(at: Date().timeIntervalSinceReferenceDate)
      files.removeExternalData(editor.releasedFiles)
    }
    return (repairs, unrepaired)
  }

  /// Mends a finding as a whole or not at all, where a trigger of the app's own is in the way.
  private func fix(
    _ finding: Finding, by fixer: any Fixer, in database: SQLiteDatabase
  ) throws(CofferError) -> FixOutcome {
    try database.run("SAVEPOINT fix")
    do {
      let outcome = try fixer.fix(finding)
      try database.run("RELEASE fix")
      return outcome
    } catch {
      guard error.code == .refused else { throw error }
      try database.run("ROLLBACK TO fix")
      try database.run("RELEASE fix")
      return .refused(error.detail)
    }
  }
}
