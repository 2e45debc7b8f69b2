internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// One run of an import, from the first entry of the archive to the finished store.
final class ImportRun {
  private let reader: ArchiveReader
  private let archive: String
  private let placement: StorePlacement
  private let options: ImportOptions
  private let newUUID: String?
  private let objectTotal: Int?
  private let progress: any ProgressReporter
  private var construction: StoreConstruction?
  private var findings = FindingCollector()
  private var content = ContentCounts()
  private let salvage: Salvage?
  /// What is known about references from the rows so far.
  private var references: ReferencePrefilter?

  init(
    reader: ArchiveReader, archive: String, placement: StorePlacement, options: ImportOptions,
    newUUID: String?, objectTotal: Int?, progress: any ProgressReporter
  ) {
    self.reader = reader
    self.archive = archive
    self.placement = placement
    self.options = options
    self.newUUID = newUUID
    self.objectTotal = objectTotal
    self.progress = progress
    salvage = reader.salvage.map(Salvage.init)
  }

  /// Closes the unfinished store.
  ///
  /// The placement removes its files.
  func abandon() { construction?.abandon() }

  /// Builds the store and moves it to its target.
  func complete() throws -> ImportSummary {
    let (documents, first) = try readDocuments()
    try ModelCompatibility.require(documents, of: options.model, place: archive)
    let statements = try schemaStatements(documents.schema)
    if !options.trustsSchema { try SchemaPolicy.require(statements, place: archive) }
    let construction = try StoreConstruction(
      at: placement.working.store, settings: settings(documents.schema),
      place: placement.target.store)
    self.construction = construction
    try construction.create(statements.filter { $0.kind == .table })
    try construction.use { database in
      let catalog = try SchemaCatalog(database)
      try LayoutCheck.check(documents.layout, in: catalog, archive: archive)
      let watch = ReferencePrefilter(documents, catalog)
      references = watch
      try load(first, documents, database, watch)
    }
    let indexes = statements.filter { $0.kind == .index }
    try construction.create(indexes) { number in
      progress.report(WorkProgress(.indexes, completed: number, total: indexes.count))
    }
    let uuid = try construction.use { database in
      let rebuilt = try salvage.flatMap { salvage in
        try SystemTableRebuilding(salvage, documents, database).run()
      }
      return try settle(documents, database) ?? rebuilt
    }
    try construction.create(
      statements.filter { [.virtualTable, .view, .trigger].contains($0.kind) })
    if options.isStrict, findings.count(of: .error) > 0 { throw strictRefusal() }
    // The last chance to cancel: the next step moves the store.
    try Task<Never, Never>.checkCancellation()
    progress.report(WorkProgress(.writing, byteCount: reader.plainByteCount))
    try construction.finish()
    self.construction = nil
    try placement.commit()
    return summary(documents, uuid)
  }

  private func readDocuments() throws -> (ArchiveDocuments, ArchiveEntryHeader?) {
    guard let salvage else { return try ArchiveDocuments.read(from: reader, path: archive) }
    let read = try ArchiveDocuments.salvage(
      from: reader, path: archive, loseDocument: salvage.loseDocument)
    salvage.begin(read.0, isWanted: options.keeps)
    return read
  }

  private func summary(_ documents: ArchiveDocuments, _ uuid: String?) -> ImportSummary {
    var bySeverity: [FindingSeverity: Int] = [:]
    for severity in FindingSeverity.allCases {
      bySeverity[severity] =
        findings.count(of: severity) + (salvage?.findings.count(of: severity) ?? 0)
    }
    return ImportSummary(
      content: content, digest: reader.index?.rootDigest.hex ?? "",
      storeUUID: uuid, findings: (salvage?.findings.findings ?? []) + findings.findings,
      counts: bySeverity, losses: salvage?.losses)
  }

  private func entityCount(_ documents: ArchiveDocuments) -> Int {
    let isModelLost = salvage?.lostDocuments.contains(ArchiveEntryName.model) ?? false
    return isModelLost ? documents.layout.entities.entities.count : documents.model.entities.count
  }

  private func settings(_ schema: SchemaDocument) throws -> StoreSettings {
    guard let mode = StoreSettings.JournalMode(rawValue: schema.journalMode) else {
      throw CofferError(
        .damagedArchive, path: archive, entry: ArchiveEntryName.schema,
        detail: "unknown journal mode")
    }
    return StoreSettings(
      pageSize: schema.pageSize, autoVacuum: schema.autoVacuum, encoding: schema.encoding,
      userVersion: schema.userVersion, applicationID: schema.applicationID, journalMode: mode)
  }

  private func schemaStatements(_ schema: SchemaDocument) throws -> [SchemaStatement] {
    try schema.statements.map { statement in
      guard let statement = SchemaStatement(statement) else {
        throw CofferError(
          .damagedArchive, path: archive, entry: ArchiveEntryName.schema,
          detail: "unknown kind of statement")
      }
      return statement
    }
  }

  /// Restores all entries after the documents.
  private func load(
    _ first: ArchiveEntryHeader?, _ documents: ArchiveDocuments, _ database: SQLiteDatabase,
    _ watch: ReferencePrefilter
  ) throws {
    var loader = EntryLoader(
      reader: reader, archive: archive, documents: documents, database: database,
      files: SupportFolderWriter(of: placement.working), options: options,
      objectTotal: objectTotal, progress: progress, watch: watch, salvage: salvage)
    var walk = ArchiveWalk(reader, documents.layout, path: archive)
    try walk.run(from: first, &loader)
    loader.finish()
    content = loader.content
    content.entityCount = entityCount(documents)
    if let finding = loader.salvageFinding { findings.add(finding) }
    for finding in loader.missingFiles() { findings.add(finding) }
  }

  /// Sets values that depend on the rows, and checks their consistency.
  ///
  /// - Returns: the UUID of the store.
  private func settle(
    _ documents: ArchiveDocuments, _ database: SQLiteDatabase
  ) throws -> String? {
    let counters = PrimaryKeyCounters(database)
    for shape in documents.layout.tables where shape.kind == .entity {
      guard let entity = shape.entityName, let number = documents.layout.entities.numbers[entity],
        let key = shape.fields.first(where: { $0.role == .primaryKey })
      else { continue }
      if try counters.raise(entity: number, table: shape.storedName, primaryKey: key.storedName) {
        findings.add(Finding(.primaryKeyCounterRaised, entityName: entity))
      }
    }
    for name in try counters.raiseSystemCounters() {
      findings.add(Finding(.primaryKeyCounterRaised, entityName: name))
    }
    if let newUUID { try counters.setStoreUUID(newUUID) }
    try checkReferences(documents, database)
    return newUUID ?? documents.manifest.storeUUID
  }

  /// Checks the references, unless the prefilter has already found them sound.
  private func checkReferences(_ documents: ArchiveDocuments, _ database: SQLiteDatabase) throws {
    let checks = ReferenceChecks(documents, place: archive, options.archiveAccess.temporaryFolder)
    guard checks.tableCount > 0 else { return }
    progress.report(WorkProgress(.references, completed: 0, total: checks.tableCount))
    if references?.isSound != true {
      try checks.run(
        on: database,
        tableDone: { number in
          progress.report(WorkProgress(.references, completed: number, total: checks.tableCount))
        },
        report: { findings.add($0) })
    }
    progress.report(
      WorkProgress(.references, completed: checks.tableCount, total: checks.tableCount))
  }

  private func strictRefusal() -> CofferError {
    let count = findings.count(of: .error)
    return CofferError(
      .strictFindings, path: archive,
      detail: count == 1 ? "1 error was found" : "\(count) errors were found",
      advice: .acceptFindings, evidence: findings.findings)
  }
}
