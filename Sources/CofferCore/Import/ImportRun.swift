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
  /// Follows the rows; nil if rows may be lost.
  private var references: InsertedReferences?

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
    try ModelCompatibility.require(documents, of: options.environment.model, place: archive)
    if let selection = options.selection {
      try SelectedRestore.check(selection, documents, archive: archive)
    }
    let statements = try documents.schema.createdStatements(archive)
    if !options.trustsSchema {
      try SchemaPolicy.require(statements, place: archive, advice: .trustSchema)
    }
    let construction = try StoreConstruction(
      at: placement.working.store, settings: documents.schema.settings(archive),
      place: placement.target.store)
    self.construction = construction
    try create(statements.filter { $0.kind == .table }, in: construction)
    try construction.use { database in
      let catalog = try SchemaCatalog(database)
      try LayoutCheck.check(documents.layout, in: catalog, archive: archive)
      try blamingLayout("the rows cannot be stored") {
        try load(first, documents, catalog, database)
      }
    }
    let indexes = statements.filter { $0.kind == .index }
    try requireFew(indexes, documents.layout, in: construction)
    let indexLimit = try IndexSizeLimit(reader, construction)
    try create(indexes, in: construction) { number, database throws(CofferError) in
      try indexLimit.require(in: database, archive)
      progress.report(WorkProgress(.indexes, completed: number, total: indexes.count))
    }
    let uuid = try construction.use { database in
      try blamingLayout("its tables are not the tables of a store") {
        let rebuilt = try salvage.flatMap { salvage in
          try SystemTableRebuilding(salvage, documents, options.environment.model, database).run()
        }
        return try settle(documents, database) ?? rebuilt
      }
    }
    try create(
      statements.filter { [.virtualTable, .view, .trigger].contains($0.kind) }, in: construction)
    if options.selection == nil { try requireStrictness() }
    // The last chance to cancel: the next step moves the store.
    try Task<Never, Never>.checkCancellation()
    progress.report(WorkProgress(.writing, byteCount: reader.plainByteCount))
    try construction.finish()
    self.construction = nil
    let selected = try options.selection.map { try select($0) }
    if selected == nil, options.isStrict { try requireSoundness() }
    try placement.commit()
    return summary(documents, uuid, selected)
  }

  /// Reduces the store to the selected objects, and reports only their defects.
  private func select(_ selection: ObjectSelection) throws -> SelectionSummary {
    let (summary, counts) = try SelectedRestore(
      selection: selection, paths: placement.working, archive: archive, progress: progress
    ).complete()
    content.objectCount = counts.objectCount
    content.relationshipCount = counts.relationshipCount
    content.externalFileCount = counts.externalFileCount
    let conversions = findings.findings.filter { $0.code == .convertedValue }
    findings = try verify()
    for finding in conversions { findings.add(finding) }
    try requireStrictness()
    try Task<Never, Never>.checkCancellation()
    return summary
  }

  /// Runs all checks on the finished store; of its findings, only errors matter.
  private func requireSoundness() throws {
    let found = try verify()
    guard found.count(of: .error) > 0 else { return }
    findings = found
    try requireStrictness()
  }

  /// Verifies the finished store.
  private func verify() throws -> FindingCollector {
    var options = VerificationOptions()
    options.environment = .inPlace
    options.environment.temporaryFolder = self.options.environment.temporaryFolder
    options.environment.model = self.options.environment.model
    let found = FindingCollection()
    try Verifier(options: options).verify(placement.working.store) { found.collector.add($0) }
    return found.collector
  }

  private func readDocuments() throws -> (ArchiveDocuments, ArchiveEntryHeader?) {
    guard let salvage else { return try ArchiveDocuments.read(from: reader, path: archive) }
    let read = try ArchiveDocuments.salvage(
      from: reader, path: archive, loseDocument: salvage.loseDocument)
    salvage.begin(read.0, isWanted: options.keeps)
    return read
  }

  private func summary(
    _ documents: ArchiveDocuments, _ uuid: String?, _ selected: SelectionSummary?
  ) -> ImportSummary {
    var bySeverity: [FindingSeverity: Int] = [:]
    for severity in FindingSeverity.allCases {
      bySeverity[severity] =
        findings.count(of: severity) + (salvage?.findings.count(of: severity) ?? 0)
    }
    let isWhole = selected == nil && salvage.map { $0.losses == ImportSummary.Losses() } ?? true
    return ImportSummary(
      content: content, digest: reader.index?.rootDigest.hex ?? "",
      contentDigest: isWhole ? reader.index?.contentDigest.hex ?? "" : "", storeUUID: uuid,
      findings: (salvage?.findings.findings ?? []) + findings.findings,
      counts: bySeverity, losses: salvage?.losses, selection: selected)
  }

  private func entityCount(_ documents: ArchiveDocuments) -> Int {
    let isModelLost = salvage?.lostDocuments.contains(ArchiveEntryName.model) ?? false
    return isModelLost ? documents.layout.entities.entities.count : documents.model.entities.count
  }

  /// Requires that the indexes do not have many more entries than there are data.
  private func requireFew(
    _ indexes: [SchemaStatement], _ layout: LayoutDocument, in construction: StoreConstruction
  ) throws(CofferError) {
    let limits = reader.limits
    var entries = IndexEntries(indexes)
    // Tables without rows in the archive have none.
    for table in layout.tables.map(\.storedName) where entries.indexCount(of: table) > 0 {
      let rows = try construction.use { database throws(CofferError) in
        try database.rowCount(of: table)
      }
      entries.add(rows, of: table)
      guard entries.limit(forPlainSize: reader.plainByteCount) <= limits.indexEntries else {
        throw CofferError.exceeding(
          .indexEntries, of: limits, path: archive, entry: ArchiveEntryName.schema,
          "\(table) has \(rows) rows and \(entries.indexCount(of: table)) indexes, so that all "
            + "indexes together have more entries")
      }
    }
  }

  /// Creates parts of the schema; a refusal by SQLite is the archive's fault.
  private func create(
    _ statements: [SchemaStatement], in construction: StoreConstruction,
    step: (Int, SQLiteDatabase) throws(CofferError) -> Void = { _, _ in }
  ) throws(CofferError) {
    do {
      try construction.create(statements, step: step)
    } catch {
      throw error.blamingSchema(of: archive)
    }
  }

  /// Does work that follows from the layout; a refusal by SQLite is the archive's fault.
  private func blamingLayout<T>(_ what: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as CofferError {
      throw error.blaming(archive, entry: ArchiveEntryName.layout, what)
    }
  }

  /// Restores all entries after the documents.
  private func load(
    _ first: ArchiveEntryHeader?, _ documents: ArchiveDocuments, _ catalog: SchemaCatalog,
    _ database: SQLiteDatabase
  ) throws {
    let checks = referenceChecks(documents)
    if salvage == nil, checks.tableCount > 0 {
      references = try InsertedReferences(checks, documents.layout)
    }
    var loader = EntryLoader(
      reader: reader, archive: archive, documents: documents, catalog: catalog, database: database,
      files: SupportFolderWriter(of: placement.working), options: options,
      objectTotal: objectTotal, progress: progress, inserted: references, salvage: salvage)
    var walk = ArchiveWalk(reader, documents.layout, path: archive)
    try walk.run(from: first, &loader)
    loader.finish()
    references?.finish()
    content = loader.content
    content.entityCount = entityCount(documents)
    findings = loader.findings
    if let finding = loader.salvageFinding {
      findings.add(finding)
      salvage?.isOfDamagedStore = true
    }
    loader.reportMissingFiles(to: &findings)
    if salvage == nil { loader.compareCounts(with: reader.index, &findings) }
  }

  /// Sets values that depend on the rows, and checks their consistency.
  private func settle(_ documents: ArchiveDocuments, _ database: SQLiteDatabase) throws -> String? {
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
      findings.add(Finding(.primaryKeyCounterRaised, entityName: Name(name)))
    }
    if let newUUID { try counters.setStoreUUID(newUUID) }
    if !options.keepsCloudKit { try counters.detachFromCloud() }
    try checkReferences(documents, database)
    return newUUID ?? documents.manifest.storeUUID
  }

  private func checkReferences(_ documents: ArchiveDocuments, _ database: SQLiteDatabase) throws {
    let checks = referenceChecks(documents)
    guard checks.tableCount > 0 else { return }
    let report = { [progress] number in
      progress.report(WorkProgress(.references, completed: number, total: checks.tableCount))
    }
    report(0)
    if references?.areSound() == true { return report(checks.tableCount) }
    try checks.run(on: database, tableDone: report) { findings.add($0) }
  }

  private func referenceChecks(_ documents: ArchiveDocuments) -> ReferenceChecks {
    ReferenceChecks(documents, place: archive, options.environment.temporaryFolder)
  }

  private func requireStrictness() throws(CofferError) {
    let count = findings.count(of: .error)
    guard options.isStrict, count > 0 else { return }
    throw CofferError(
      .strictFindings, path: archive,
      detail: count == 1 ? "1 error was found" : "\(count) errors were found",
      advice: .acceptFindings, evidence: findings.findings)
  }
}

/// A collector that a closure that escapes fills.
private final class FindingCollection {
  var collector = FindingCollector()
}

/// The maximum total size of a store's indexes, so that a few rows with long values do not fill the disk.
private struct IndexSizeLimit {
  private let limits: ArchiveLimits
  private let largest: Int

  /// Creates the limit once all rows are inserted.
  init(_ reader: ArchiveReader, _ construction: StoreConstruction) throws(CofferError) {
    limits = reader.limits
    let size = try construction.use { database throws(CofferError) in
      try Self.size(of: database)
    }
    let content = reader.plainByteCount.multipliedReportingOverflow(by: 4)
    let bound = content.partialValue.addingReportingOverflow(reader.limits.indexGrowth)
    let sum = bound.partialValue.addingReportingOverflow(size)
    largest = content.overflow || bound.overflow || sum.overflow ? .max : sum.partialValue
  }

  /// Requires that the indexes are within the limit so far.
  func require(in database: SQLiteDatabase, _ archive: String) throws(CofferError) {
    guard try Self.size(of: database) > largest else { return }
    throw .exceeding(
      .indexGrowth, of: limits, path: archive, entry: ArchiveEntryName.schema,
      "the indexes take more bytes, in addition to four times the size of the archive,")
  }

  private static func size(of database: SQLiteDatabase) throws(CofferError) -> Int {
    let pages = try database.value("PRAGMA page_count")?.integer ?? 0
    let bytes = try database.value("PRAGMA page_size")?.integer ?? 0
    return Int(clamping: pages.multipliedReportingOverflow(by: bytes).partialValue)
  }
}
