internal import CofferCore
internal import CoreDataArchive
internal import CoreDataDesign
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// A step of a migration, from an open store to a new file.
struct MigrationStepRun: MigrationWork {
  let store: PersistentStore
  private let place: String
  private let names: (old: String, new: String)
  let founding: StoreBuilder
  /// The meaning of the tables in the new store.
  private let layout: StoreLayout
  let plan: TransferPlan
  /// The app's additions to the schema of the old store.
  let additions: SchemaTransfer
  /// The orders that move between relationships and attributes.
  let orderMoves: [OrderMove]
  var notes: [MigrationNote] = []
  private(set) var objectCount = 0
  private(set) var pairCount = 0
  private(set) var fileCount = 0
  /// The number of objects that the step loses.
  var lostCount: Int64 = 0
  /// The entity with the most lost objects, or nil.
  var largestLoss: Name?

  /// Prepares a step.
  ///
  /// Intermediate stores may have any names.
  ///
  /// - Throws: ``CofferError`` if the form of the new store is undecided; `model-limit`.
  init(
    _ store: PersistentStore, mapping: ModelMapping, to new: MigrationModels.Named,
    origin: PersistentStore, isLast: Bool, names: (old: String, new: String), place: String,
    keepsNames: Bool, orders: [OrderAttribute], limits: ArchiveLimits
  ) throws {
    self.store = store
    self.place = place
    self.names = names
    founding = try Self.founding(
      store, mapping: mapping, to: new, origin: origin, isLast: isLast, keepsNames: keepsNames,
      names: names, place: place, limits: limits)
    let design = founding.design
    let catalog = try SchemaCatalog(ofTablesIn: design.tables, place: place)
    layout = StoreLayout(model: mapping.destination, registry: design.registry, catalog: catalog)
    plan = TransferPlan(
      mapping: mapping, from: store.layout, registry: store.registry, to: layout,
      catalogs: (store.catalog, catalog))
    additions = SchemaTransfer(mapping: mapping, from: store, to: design, layout)
    let (source, destination) = (store.layout, layout)
    orderMoves = orders.compactMap { OrderMove($0, mapping, from: source, to: destination) }
    if keepsNames, isLast {
      addKeptNames(Self.design(store, mapping, new.choices, origin, keepsNames: false).blocking)
    }
    try addNotes()
  }

  /// Creates the writer of the new store without its rows.
  ///
  /// - Throws: ``CofferError`` if the form of the new store is undecided; `model-limit`.
  static func founding(
    _ store: PersistentStore, mapping: ModelMapping, to new: MigrationModels.Named,
    origin: PersistentStore, isLast: Bool, keepsNames: Bool, names: (old: String, new: String),
    place: String, limits: ArchiveLimits
  ) throws -> StoreBuilder {
    let known = mapping.destination.entities.allSatisfy { new.hashes[$0.name] != nil }
    let digest = known ? VersionHashDigest(new.hashes) : nil
    let design = Self.design(store, mapping, new.choices, origin, keepsNames: keepsNames)
    try design.requireSmall(limits, place: new.name)
    let open = design.blocking.filter { isLast || !$0.isAboutNames }
      .map { MappingProblem($0, objection: new.objection) }
    guard open.isEmpty else {
      throw CofferError.impossible(open, path: place, from: names.old, to: names.new)
    }
    return StoreBuilder(
      design,
      identity: StoreBuilder.Identity(
        uuid: store.uuid ?? "", versionHashes: known ? new.hashes : [:],
        digests: digest.map { ($0.digest, $0.checksum) },
        metadata: store.metadata.applicationEntries))
  }

  /// The design of the new store, based on a store of the new model and on the first store of the
  /// migration, because the names in intermediate stores were not chosen by Core Data.
  private static func design(
    _ store: PersistentStore, _ mapping: ModelMapping, _ example: DesignChoices?,
    _ origin: PersistentStore, keepsNames: Bool
  ) -> StoreDesign {
    let era = store.metadata.era ?? FrameworkEra.newest
    var own = DesignChoices(like: store.layout, catalog: store.catalog)
      .holding(from: store.model, for: mapping.destination, by: mapping)
    let names = DesignChoices(like: origin.layout, catalog: origin.catalog)
    let first = names.holding(from: origin.model, for: mapping.destination, by: mapping)
    (own.namingSides, own.columnSuffixes) = (first.namingSides, first.columnSuffixes)
    var choices = own.adding(example)
    if keepsNames { choices.keepNames(of: names, in: mapping.destination) }
    return StoreDesign(model: mapping.destination, era: era, choices: choices)
  }

  private func impossible(_ problems: [MappingProblem]) -> CofferError {
    .impossible(problems, path: place, from: names.old, to: names.new)
  }

  // MARK: Before anything is written

  /// The first undecided part of the final store, as far as known at the start.
  static func undecided(
    _ origin: PersistentStore, to new: MigrationModels.Named, by mapping: ModelMapping,
    keepsNames: Bool
  ) -> [MappingProblem] {
    func open(_ keepsNames: Bool) -> [UndecidedChoice] {
      design(origin, mapping, new.choices, origin, keepsNames: keepsNames).blocking
    }
    let choices = open(keepsNames)
    let nameless = choices.contains(where: \.isAboutNames) ? open(true) : []
    return choices.map { choice in
      let isNameless = nameless.contains {
        $0.kind == choice.kind && $0.properties == choice.properties
      }
      return MappingProblem(choice, objection: new.objection, hasOldName: !isNameless)
    }
  }

  func check(_ progress: any ProgressReporter, loss: ObjectLoss?) throws {
    var problems = plan.problems
    if let entity = largestLoss, let problem = loss?.problem(with: entity) {
      problems.append(problem)
    }
    try store.use { database in
      // SQLite copies the rows in any order.
      try StoreRowSource(store, database, StoreTables(store)).requireOrder()
      for move in orderMoves {
        if let problem = try move.problem(database) { problems.append(problem) }
      }
      for (number, check) in plan.checks.enumerated() {
        try Task<Never, Never>.checkCancellation()
        progress.report(
          WorkProgress(.conditions, completed: number, total: plan.checks.count))
        let count = try database.value(check.sql, check.arguments)?.integer ?? 0
        if count > 0 { problems.append(check.problem(count)) }
      }
    }
    if !plan.checks.isEmpty {
      let count = plan.checks.count
      progress.report(WorkProgress(.conditions, completed: count, total: count))
    }
    guard problems.isEmpty else { throw impossible(problems) }
  }

  // MARK: Writing

  mutating func write(to paths: StorePaths, progress: any ProgressReporter) throws {
    let construction = try StoreConstruction(
      at: paths.store, settings: store.settings, place: place)
    defer { construction.abandon() }
    try write(construction, paths, progress)
    try construction.finish()
    try store.requireUnchanged()
  }

  private mutating func write(
    _ construction: StoreConstruction, _ paths: StorePaths, _ progress: any ProgressReporter
  ) throws {
    try founding.createTables(in: construction)
    let folder = try SupportFolder(of: StorePaths(store: store.path))
    try folder.requireComplete()
    let references = try store.use { source in
      try construction.use { target in
        let references = try moveRows(from: source, to: target, folder, progress)
        try addLostReferences(from: source, to: target)
        for move in orderMoves { try move.perform(from: source, to: target, place: place) }
        return references
      }
    }
    try founding.writeAdministration(in: construction)
    try construction.use { database in try setCounters(PrimaryKeyCounters(database)) }
    let indexes = founding.design.indexes.count
    try founding.createIndexes(in: construction) { number in
      progress.report(WorkProgress(.indexes, completed: number, total: indexes))
    }
    try founding.createTriggers(in: construction)
    createAdditions(in: construction)
    try copyFiles(folder, references, to: SupportFolderWriter(of: paths), progress)
  }

  /// Creates the app's additions; the new rows may violate a unique index.
  private mutating func createAdditions(in construction: StoreConstruction) {
    for statement in additions.carried {
      do {
        try construction.create([statement])
      } catch {
        addDropped(statement, error.detail)
      }
    }
  }

  private mutating func moveRows(
    from source: SQLiteDatabase, to target: SQLiteDatabase, _ folder: SupportFolder,
    _ progress: any ProgressReporter
  ) throws -> Set<Name> {
    var mover = RowMover(from: source, to: target, folder: folder)
    let rows = RowProgress(progress, objectTotal: store.estimatedObjectCount)
    for statement in plan.statements {
      let phase = Self.phase(of: statement.content)
      var done = 0
      rows.report(0, in: phase)
      let count = try mover.move(statement) { more in
        try Task<Never, Never>.checkCancellation()
        done += more
        rows.report(done, in: phase)
      }
      rows.end(count, in: phase)
      switch statement.content {
      case .objects: objectCount += count
      case .pairs: pairCount += count
      case .history: break
      }
    }
    rows.finishPhase()
    return mover.references
  }

  private static func phase(of content: TransferStatement.Content) -> WorkPhase {
    switch content {
    case .objects: .objects
    case .pairs: .relationships
    case .history: .otherRows
    }
  }

  private func setCounters(_ counters: PrimaryKeyCounters) throws(CofferError) {
    for (entity, key) in plan.counters.sorted(by: { $0.key < $1.key }) {
      try counters.raise(entity: entity, to: key)
    }
    for table in layout.entityTables {
      guard let number = layout.numbering.number(of: table.rootEntityName) else { continue }
      _ = try counters.raise(
        entity: number, table: table.tableName, primaryKey: StoredName.primaryKey)
    }
    for row in plan.systemCounters { try counters.add(row) }
  }

  private mutating func copyFiles(
    _ folder: SupportFolder, _ references: Set<Name>, to writer: SupportFolderWriter,
    _ progress: any ProgressReporter
  ) throws {
    var dropped = 0
    var hasCompanions = false
    for (number, file) in folder.files.enumerated() {
      progress.report(
        WorkProgress(.externalData, completed: number, total: folder.files.count))
      try Task<Never, Never>.checkCancellation()
      if CompanionFolder.of(file.components) != nil {
        hasCompanions = true
        continue
      }
      if let name = file.externalName, !references.contains(Name(name)) {
        dropped += 1
        continue
      }
      if try writer.copy(file, from: folder) { fileCount += 1 }
    }
    if !folder.files.isEmpty {
      progress.report(
        WorkProgress(
          .externalData, completed: folder.files.count, total: folder.files.count))
      try store.requireInPlace()
    }
    if hasCompanions {
      notes.add(
        .filesDropped,
        "the files of CloudKit mirroring next to the store are not carried over; Core Data writes "
          + "those that it needs again")
    }
    guard dropped > 0 else { return }
    notes.add(
      .filesDropped,
      "\(dropped == 1 ? "1 file" : "\(dropped) files") of external binary data that nothing "
        + "in the new store refers to \(dropped == 1 ? "is" : "are") not carried over")
  }
}
