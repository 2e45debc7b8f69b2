internal import CoreDataDesign
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Notes about a step before it runs: open choices, and data that is not migrated.
extension MigrationStepRun {
  mutating func addNotes() throws {
    notes += Self.notes(on: founding)
    notes += Self.droppedTables(of: store, keepsHistory: plan.keepsHistory)
    try addDroppedObjects()
    try addDroppedValues()
    try addDroppedOrders()
    for dropped in additions.dropped { addDropped(dropped.statement, dropped.reason) }
  }

  /// Notes on the form of a new store.
  static func notes(on founding: StoreBuilder) -> [MigrationNote] {
    var notes: [MigrationNote] = []
    if founding.identity.versionHashes.isEmpty {
      notes.add(
        .noVersionHashes,
        "the model has no version hashes, and only Core Data can compute them. Core Data will treat the "
          + "store as one of a different model. Give the compiled folder (.momd), or a store of the "
          + "same model that Core Data created")
    }
    for choice in founding.design.undecided where choice.isHarmless {
      notes.append(MigrationNote(.undecided, "the model does not determine \(choice.text)"))
    }
    for note in founding.design.notes { notes.append(MigrationNote(.leftOut, note)) }
    return notes
  }

  /// Notes the names that are kept although the model leaves them open.
  mutating func addKeptNames(_ choices: [UndecidedChoice]) {
    for choice in choices where choice.isAboutNames {
      notes.add(
        .keptNames,
        "the new store keeps the old names where the model does not determine \(choice.text). In one sample of "
          + "274 migrations, Core Data kept 88 % of the names; yours may be among the others. Before you rely on the "
          + "store, open a copy of it with the app, "
          + "on a device or in a simulator, and read these relationships: with a wrong name, Core Data reports "
          + "\"no such table\" or \"no such column\"")
    }
  }

  /// Notes that a schema object that the app added is not migrated.
  mutating func addDropped(_ statement: SchemaStatement, _ reason: String) {
    notes.add(.additionDropped, "the app's own \(statement.label) is not carried over: \(reason)")
  }

  private mutating func addDroppedOrders() throws(CofferError) {
    for dropped in plan.droppedOrders where !isKept(dropped.name) {
      let count = try count(dropped.sql)
      guard count > 0 else { continue }
      notes.add(
        .orderDropped,
        "the order of \(count == 1 ? "1 reference" : "\(count) references") of \(dropped.name), which is not "
          + "ordered in the new model, is not carried over")
    }
  }

  /// Notes on what the model of a store does not explain, and on the framework's own tables.
  static func droppedTables(of store: PersistentStore, keepsHistory: Bool) -> [MigrationNote] {
    var notes: [MigrationNote] = []
    var kinds: Set<MigrationNote.Code> = []
    for table in store.layout.otherTables {
      switch table.kind {
      case .history where !keepsHistory && kinds.insert(.historyDropped).inserted:
        notes.add(
          .historyDropped,
          "the persistent history is not carried over: it identifies properties by their positions in the old "
            + "model")
      case .cloudKit where kinds.insert(.cloudKitDropped).inserted:
        notes.add(
          .cloudKitDropped,
          "the state of CloudKit mirroring is not carried over; Core Data sets it up again")
      case .unknown where table.form == .ordinary, .system where !table.isInternal:
        notes.add(
          .tableDropped,
          "the table \(table.name), which the model does not explain, is not carried "
            + "over")
      default: break
      }
    }
    for table in store.layout.entityTables {
      let columns = table.unexplainedColumns
      guard !columns.isEmpty else { continue }
      notes.add(
        .columnDropped,
        "columns of \(table.rootEntityName) that the model does not explain are not carried over: "
          + columns.joined(separator: ", "))
    }
    return notes
  }

  private mutating func addDroppedObjects() throws(CofferError) {
    var largest: Int64 = 0
    for dropped in plan.droppedEntities {
      let count = try count(dropped.sql)
      guard count > 0 else { continue }
      lostCount += count
      if count > largest { (largest, largestLoss) = (count, dropped.name) }
      notes.add(
        .objectsDropped,
        count == 1
          ? "1 object of \(dropped.name), which is not in the new model, is not carried over"
          : "\(count) objects of \(dropped.name), which is not in the new model, are not carried over"
      )
    }
  }

  /// Values and references of properties that the new model lacks.
  private mutating func addDroppedValues() throws(CofferError) {
    for dropped in plan.droppedProperties where !isKept(dropped.name) {
      let count = try count(dropped.sql)
      guard count > 0 else { continue }
      let isAttribute = dropped.kind == .attribute
      let what = isAttribute ? "value" : "reference"
      notes.add(
        isAttribute ? .valuesDropped : .referencesDropped,
        count == 1
          ? "1 \(what) of \(dropped.name), which is not in the new model, is not carried over"
          : "\(count) \(what)s of \(dropped.name), which is not in the new model, are not carried over"
      )
    }
  }

  /// Whether an order moves to or from a property of the old model.
  private func isKept(_ name: String) -> Bool {
    orderMoves.contains { $0.kept.hasSameBytes(as: name) }
  }

  private func count(_ sql: String) throws(CofferError) -> Int64 {
    try store.use { database throws(CofferError) in try database.value(sql)?.integer ?? 0 }
  }

  /// References that were lost, after all rows have been moved.
  mutating func addLostReferences(
    from source: SQLiteDatabase, to target: SQLiteDatabase
  ) throws(CofferError) {
    for counted in plan.countedReferences {
      let before = try source.value(counted.old)?.integer ?? 0
      let after = try target.value(counted.new)?.integer ?? 0
      guard before > after else { continue }
      let lost = before - after
      notes.add(
        .referencesDropped,
        lost == 1
          ? "1 of \(before) references of \(counted.name) cannot be kept in the new store"
          : "\(lost) of \(before) references of \(counted.name) cannot be kept in the new store")
    }
  }
}
