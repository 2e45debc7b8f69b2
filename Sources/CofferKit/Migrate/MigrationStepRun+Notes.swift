internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Notes about a step before it is done: what is undecided, and what is not carried over.
extension MigrationStepRun {
  mutating func addNotes() throws {
    if hashes.isEmpty {
      notes.append(
        MigrationNote(
          .noVersionHashes,
          "the model has no version hashes, which only Core Data can compute: Core Data takes the "
            + "store for one of another model; give the compiled folder (.momd), or a store of the "
            + "same model that Core Data made"
        ))
    }
    for choice in founding.design.undecided where choice.isHarmless {
      notes.append(MigrationNote(.undecided, "nothing tells \(choice.text)"))
    }
    for note in founding.design.notes { notes.append(MigrationNote(.leftOut, note)) }
    addDroppedTables()
    try addDroppedObjects()
    try addDroppedValues()
  }

  private mutating func addDroppedTables() {
    var kinds: Set<MigrationNote.Code> = []
    for table in store.layout.otherTables {
      switch table.kind {
      case .history where !plan.keepsHistory && kinds.insert(.historyDropped).inserted:
        notes.append(
          MigrationNote(
            .historyDropped,
            "the persistent history is left behind: it names properties by their positions in the old "
              + "model"))
      case .cloudKit where kinds.insert(.cloudKitDropped).inserted:
        notes.append(
          MigrationNote(
            .cloudKitDropped,
            "the state of CloudKit mirroring is left behind; Core Data sets it up again"))
      case .unknown where table.form == .ordinary, .system where !table.isInternal:
        notes.append(
          MigrationNote(
            .tableDropped,
            "the table \(table.name), which the model does not explain, is left "
              + "behind"))
      default: break
      }
    }
    for table in store.layout.entityTables {
      let columns = table.unexplainedColumns
      guard !columns.isEmpty else { continue }
      notes.append(
        MigrationNote(
          .columnDropped,
          "columns of \(table.rootEntityName) that the model does not explain are left behind: "
            + columns.joined(separator: ", ")))
    }
  }

  private mutating func addDroppedObjects() throws(CofferError) {
    var largest: Int64 = 0
    for dropped in plan.droppedEntities {
      let count = try count(dropped.sql)
      guard count > 0 else { continue }
      lostCount += count
      if count > largest { (largest, largestLoss) = (count, dropped.name) }
      notes.append(
        MigrationNote(
          .objectsDropped,
          count == 1
            ? "1 object of \(dropped.name), which the new model lacks, is left behind"
            : "\(count) objects of \(dropped.name), which the new model lacks, are left behind"))
    }
  }

  /// Values and references of properties that the new model lacks.
  private mutating func addDroppedValues() throws(CofferError) {
    for dropped in plan.droppedProperties {
      let count = try count(dropped.sql)
      guard count > 0 else { continue }
      let isAttribute = dropped.kind == .attribute
      let what = isAttribute ? "value" : "reference"
      notes.append(
        MigrationNote(
          isAttribute ? .valuesDropped : .referencesDropped,
          count == 1
            ? "1 \(what) of \(dropped.name), which the new model lacks, is left behind"
            : "\(count) \(what)s of \(dropped.name), which the new model lacks, are left behind"))
    }
  }

  private func count(_ sql: String) throws(CofferError) -> Int64 {
    try store.use { database throws(CofferError) in try database.value(sql)?.integer ?? 0 }
  }

  /// References that were there and are not any more, now that all rows have been moved.
  mutating func addLostReferences(
    from source: SQLiteDatabase, to target: SQLiteDatabase
  ) throws(CofferError) {
    for counted in plan.countedReferences {
      let before = try source.value(counted.old)?.integer ?? 0
      let after = try target.value(counted.new)?.integer ?? 0
      guard before > after else { continue }
      let lost = before - after
      notes.append(
        MigrationNote(
          .referencesDropped,
          lost == 1
            ? "1 reference of \(counted.name) of \(before) has no place in the new store"
            : "\(lost) references of \(counted.name) of \(before) have no place in the new store"))
    }
  }
}
