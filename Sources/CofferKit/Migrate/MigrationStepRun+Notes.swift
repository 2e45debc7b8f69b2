internal import CoreDataModel
internal import CoreDataStore

/// What is worth knowing of a step before it is done: what nothing decides, and what is left behind.
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
      case .unknown, .system:
        notes.append(
          MigrationNote(
            .tableDropped,
            "the table \(table.name), which the model does not explain, is left "
              + "behind"))
      default: break
      }
    }
    for table in store.layout.entityTables {
      let columns = table.columns.filter { $0.role == .unknown }.map(\.name)
      guard !columns.isEmpty else { continue }
      notes.append(
        MigrationNote(
          .columnDropped,
          "columns of \(table.rootEntityName) that the model does not explain are left behind: "
            + columns.joined(separator: ", ")))
    }
  }

  private mutating func addDroppedObjects() throws(CofferError) {
    for dropped in plan.droppedEntities {
      let count = try store.use { database throws(CofferError) in
        try database.value(dropped.sql)?.integer ?? 0
      }
      guard count > 0 else { continue }
      notes.append(
        MigrationNote(
          .objectsDropped,
          count == 1
            ? "1 object of \(dropped.name), which the new model lacks, is left behind"
            : "\(count) objects of \(dropped.name), which the new model lacks, are left behind"))
    }
  }
}
