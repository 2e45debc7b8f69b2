internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// One repair: verifies a store, repairs a private copy of it, and verifies the copy.
///
/// A repair can uncover a defect that another one hid, change nothing, or cause another defect. Then a new
/// copy is made, so that there is one change from the store to the result.
struct RepairRun {
  /// The maximum number of copies; each one after the first repairs what the previous one has
  /// uncovered.
  private static let roundLimit = 8
  /// The codes of findings about files next to a store, which its copy does not have.
  private static let codesBeside: Set<FindingCode> = [.irregularExternalData, .unknownCompanion]

  let path: String
  let options: RepairOptions
  let progress: any ProgressReporter
  /// Whether the schema may change, which a change file cannot record.
  let allowsSchemaChanges: Bool
  /// Whether the copy never replaces the store.
  let isPlan: Bool

  /// Repairs a private copy.
  ///
  /// The outcome of each finding is reported after the closure, which is not called if there is nothing to
  /// repair.
  ///
  /// - Returns: the repairs, and the remaining findings.
  func run(
    _ report: (RepairOutcome) throws -> Void,
    _ body: (EditedCopy, @escaping (RepairRecorder) throws -> Void, inout RepairSummary) throws ->
      Void
  ) throws -> RepairSummary {
    var copy = try makeCopy()
    defer { copy.abandon() }
    let first = copy
    let options = options
    let ledger = try RepairLedger { code in
      options.repairs(code) ? FixerList.turn(of: code, options.objectFixes) : nil
    }
    let decisions = try DecisionRun(options, of: first.store, path: path)
    try first.verifyStore {
      decisions.add($0)
      try ledger.add($0, isAfter: false)
    }
    let beside = ledger.counts.filter { Self.codesBeside.contains($0.key) }
    var summary = RepairSummary()
    summary.storeUUID = first.store.uuid
    if try decisions.isNeeded || ledger.hasOpenItems {
      try requireSoundPages(ledger)
      var round = 0
      while true {
        round += 1
        try ledger.beginRound()
        let schema = try repair(copy, ledger, decisions)
        try ledger.beginAfter()
        try copy.verifyCopy { try ledger.add($0, isAfter: true) }
        let ineffective = try ledger.abandonIneffective("its repair does not help")
        let hidden = try ledger.addHidden()
        let harmful = try ledger.abandonHarmful { id in
          schema.table(of: id.entityName).map { StoredObject(table: $0, key: id.primaryKey) }
        }
        if ineffective + hidden + harmful == 0 || round == Self.roundLimit {
          _ = try copy.requireNoErrors(ledger.newErrors())
          break
        }
        copy.abandon()
        copy = try makeCopy()
        try copy.requireSameState(as: first)
      }
    }
    summary.add(ledger.counts.merging(beside) { $1 })
    summary.decidedChanges = decisions.changes
    if try summary.decidedCount > 0 || ledger.hasRepairs {
      let tables = first.store.layout.entityTables
      let writeRepairs = { (recorder: RepairRecorder) in
        try ledger.forEachRecord({ tables[$0.table].rootEntityName }) { try recorder.add($0) }
      }
      try body(copy, writeRepairs, &summary)
    }
    try ledger.forEachOutcome { outcome in
      summary.add(outcome)
      try report(outcome)
    }
    return summary
  }

  private func makeCopy() throws -> EditedCopy {
    let copy = try EditedCopy(
      of: path, at: nil, .link, options.editing, isPlan: isPlan,
      environment: options.environment, progress: progress)
    copy.objectChecks = options.objectChecks
    return copy
  }

  /// Refuses to change rows in pages that are damaged.
  private func requireSoundPages(_ ledger: RepairLedger) throws(CofferError) {
    guard ledger.counts[.sqliteDamage] != nil || ledger.counts[.unreadableTable] != nil else {
      return
    }
    throw CofferError(
      .damagedStore, path: path,
      detail: "its pages are damaged, so a change of its rows could damage more",
      advice: .salvageStore)
  }

  // MARK: Changes

  /// Makes the changes of a round.
  ///
  /// - Returns: the tables and relationships of the copy, which may have more than the store.
  private func repair(
    _ copy: EditedCopy, _ ledger: RepairLedger, _ decisions: DecisionRun
  ) throws -> EditedSchema {
    try copy.edit { database, files in
      let structure = StructureFixer(copy.store, database, allowsSchemaChanges: allowsSchemaChanges)
      let added = try mendStructure(structure, ledger)
      // Objects without versions cannot be edited, but need no edits either.
      guard try !added.isEmpty || decisions.isNeeded || ledger.hasOpenItems else {
        return EditedSchema(structure.store.layout)
      }
      let editor = try ObjectEditor(database, of: structure.store)
      let context = RepairContext(
        store: structure.store, editor: editor, counters: PrimaryKeyCounters(database),
        system: SystemTableRepair(database), givenModel: options.environment.model?.model,
        allowsSchemaChanges: allowsSchemaChanges)
      try structure.raiseCounters(context)
      for item in added {
        let entities = structure.entities(concernedBy: item.finding)
        for table in Set(entities.compactMap { editor.schema.table(of: $0) }) {
          try ledger.note(.all(of: table), changedFor: item)
        }
      }
      try decisions.perform(context)
      for (number, fix) in fixes(context).enumerated() {
        try ledger.forEachItem(atTurn: StructureFixer.codes.count + number) { item in
          editor.onTouch = { object throws(CofferError) in
            try ledger.note(object, changedFor: item)
          }
          let outcome =
            try decisions.settles(item.finding, context)
            ? .settled
            : refusal(of: item.finding, in: context.store)
              ?? mend(item.finding, by: fix, context)
          if case .repaired = outcome, let object = context.object(item.finding) {
            try ledger.note(object, changedFor: item)
          }
          try ledger.settle(item, outcome)
        }
      }
      editor.onTouch = nil
      try editor.finish(at: Date().timeIntervalSinceReferenceDate)
      files.removeExternalData(editor.releasedFiles)
      return editor.schema
    }
  }

  /// Adds the missing parts of the store; returns the fixed findings.
  private func mendStructure(
    _ fixer: StructureFixer, _ ledger: RepairLedger
  ) throws -> [RepairLedger.Item] {
    var mended: [RepairLedger.Item] = []
    for turn in StructureFixer.codes.indices {
      try ledger.forEachItem(atTurn: turn) { item in
        let outcome = try refusal(of: item.finding, in: fixer.store) ?? fixer.fix(item.finding)
        if case .repaired = outcome { mended.append(item) }
        try ledger.settle(item, outcome)
      }
    }
    return mended
  }

  /// The reason why a finding cannot be fixed without knowing the meaning of the tables; nil if it
  /// can.
  private func refusal(of finding: Finding, in store: PersistentStore) -> FixOutcome? {
    guard store.model.source == .inferred, !NumberingFixer.counterCodes.contains(finding.code)
    else { return nil }
    return .refused("the store has no copy of its model, and none was given")
  }

  /// The fixer of each turn.
  private func fixes(_ context: RepairContext) -> [(Finding) throws -> FixOutcome] {
    options.objectFixes.map { own in { try context.fix($0, by: own) } }
      + FixerList.all.map { $0.fix(context) }
  }

  /// Fixes a finding completely or not at all, if one of the app's own triggers interferes.
  private func mend(
    _ finding: Finding, by fix: (Finding) throws -> FixOutcome, _ context: RepairContext
  ) throws -> FixOutcome {
    do {
      return try context.editor.asOne { try fix(finding) }
    } catch let error as CofferError where error.code == .refused {
      return .refused(error.detail)
    }
  }
}
