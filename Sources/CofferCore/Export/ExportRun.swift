package import CoreDataArchive
internal import CoreDataLayout
package import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore

/// An export from its first entry to its last.
struct ExportRun {
  let store: PersistentStore
  let database: SQLiteDatabase
  let writer: ArchiveWriter
  let salvages: Bool
  let progress: any ProgressReporter
  private let options: ExportOptions
  private let rows: RowProgress
  private let witness: (any RowWitness)?

  private var content = ContentCounts()
  private var references: [TableReferences] = []
  private var findings: FindingCollector
  private var log = SalvageLog()
  private var shortLineCount = 0
  private var indexEntries = IndexEntries([])

  /// The references of a table's objects to external files.
  private struct TableReferences {
    var table: TableLayout
    var list: [ExternalReference]
  }

  init(
    store: PersistentStore, database: SQLiteDatabase, writer: ArchiveWriter,
    options: ExportOptions, progress: any ProgressReporter, witness: (any RowWitness)? = nil
  ) {
    self.store = store
    self.database = database
    self.writer = writer
    self.options = options
    self.witness = witness
    salvages = options.salvages
    findings = FindingCollector(skipping: options.skippedCodes)
    self.progress = progress
    rows = RowProgress(
      progress, objectTotal: store.estimatedObjectCount, bytes: { writer.plainByteCount })
  }

  mutating func complete() throws -> ExportedArchive {
    let salvage =
      salvages ? try StoreSalvage(store, StoreTables(store).sources, database, progress) : nil
    if !salvages { try store.requireSoundLog() }
    let schema = try RestorableSchema(
      store, database, salvage, leavesOutUnusual: options.leavesOutUnusualStatements
    ) { source in
      witness?.segments(of: source)?.allSatisfy(\.isKept) ?? false
    }
    let tables = schema.tables
    // What is not read was sound when it was.
    if !salvages, tables.sources.allSatisfy({ witness?.segments(of: $0) == nil }) {
      try store.requireSoundPages()
    }
    indexEntries = IndexEntries(schema.statements)
    try writeDocuments(schema)
    if let salvage {
      for source in tables.sources {
        try salvage.use(source.shape, of: database) { database in
          _ = try exportTable(source, tables.entities, from: database)
        }
      }
    } else {
      try exportTables(schema)
    }
    rows.finishPhase()
    for change in schema.changes { log.add(change) }
    if let salvage { try noteLosses(salvage, tables) }
    if let losses = options.losses { log.add(losses) }
    content.entityCount = store.model.entities.count
    content.externalFileCount = try exportFiles(tables.entities)
    try store.requireInPlace()
    if !log.document.isEmpty {
      try writer.add(ArchiveEntryName.salvage, document: log.document.encoded())
    }
    progress.report(WorkProgress(.writing, byteCount: writer.plainByteCount))
    let index = try writer.finish()
    let plainByteCount = index.entries.reduce(0) { $0 + $1.size }
    let summary = ExportSummary(
      content: content, digest: index.rootDigest.hex,
      contentDigest: index.contentDigest.hex,
      plainByteCount: plainByteCount,
      byteCount: writer.byteCount,
      salvage: log.document.isEmpty ? nil : SalvageFacts(log.document), findings: findings.findings,
      errorCount: findings.count(of: .error), warningCount: findings.count(of: .warning),
      infoCount: findings.count(of: .info), raisedLimits: raisedLimits(plainByteCount))
    return ExportedArchive(summary: summary, index: index, losses: log.document)
  }

  /// The limits that a reader must raise for an archive of a number of bytes before compression.
  private func raisedLimits(_ plainByteCount: Int) -> [ArchiveLimits.Name: Int] {
    var raised = writer.raisedLimits
    let most = options.readerLimits
    if shortLineCount > most.shortLines { raised[.shortLines] = shortLineCount }
    let entries = indexEntries.limit(forPlainSize: plainByteCount)
    if entries > most.indexEntries { raised[.indexEntries] = entries }
    return raised
  }

  private mutating func writeDocuments(_ restorable: RestorableSchema) throws {
    let tables = restorable.tables
    let manifest = ArchiveManifest(
      storeUUID: store.uuid, frameworkVersion: store.frameworkVersion,
      modelSource: store.model.source.rawValue, entityNames: tables.entities.entities.map(\.name))
    try writer.add(ArchiveEntryName.manifest, document: manifest.encoded())
    try writer.add(
      ArchiveEntryName.model,
      document: ModelDocument(
        model: store.model, versionHashes: store.metadata.modelVersionHashes
      ).value)
    let schema = SchemaDocument(store, restorable.statements)
    for finding in SchemaPolicy.findings(about: schema) { findings.add(finding) }
    try writer.add(ArchiveEntryName.schema, document: schema.encoded())
    let layout = LayoutDocument(entities: tables.entities, tables: tables.sources.map(\.shape))
    let (count, most) = (
      max(store.model.propertyCount, layout.columnCount), ArchiveLimits.standard.properties
    )
    guard count <= most else {
      throw CofferError(
        .archiveLimit, path: store.path,
        detail: "it has \(count) properties or columns, and an archive may have \(most)")
    }
    try writer.add(ArchiveEntryName.layout, document: layout.encoded())
  }

  /// Exports the rows of all tables, with several connections where that pays and all of them see the
  /// same state.
  private mutating func exportTables(_ schema: RestorableSchema) throws {
    let division = options.division
    let tables = schema.tables
    let sources = tables.sources.map { source in
      var source = source
      source.recordedColumns = witness?.columns(of: source.shape)
      return source
    }
    let segments = sources.map { witness?.segments(of: $0) }
    if segments.contains(where: { $0 != nil }) {
      for (source, segments) in zip(sources, segments) {
        let outcome =
          if let segments {
            try export(segments, of: source, tables.entities)
          } else {
            try exportTable(source, tables.entities, from: database)
          }
        if outcome.isOrderUncertain { try schema.requireUniqueRows(of: source, database) }
      }
      return
    }
    let connections = store.openConnections(
      upTo: division.connectionCount(threads: options.threadCount, size: store.byteCount))
    guard connections.count > 1 else {
      for connection in connections { try? connection.close() }
      for source in sources {
        let outcome = try exportTable(source, tables.entities, from: database)
        if outcome.isOrderUncertain { try schema.requireUniqueRows(of: source, database) }
      }
      return
    }
    var parallel = ParallelExport(
      connections, entities: tables.entities, rule: division.rule, writer: writer,
      path: store.path, witness: witness)
    let (rows, database) = (rows, database)
    try parallel.run(
      sources, tables.entities, database, division,
      progress: { rows.report($0, of: $1.shape) },
      end: { outcome, source in
        try note(outcome, of: source.shape, tables.entities)
        if outcome.isOrderUncertain { try schema.requireUniqueRows(of: source, database) }
      })
  }

  /// Exports the rows of a table with the existing connection.
  private mutating func exportTable(
    _ source: TableSource, _ entities: NumberedEntities, from database: SQLiteDatabase
  ) throws -> RangeOutcome {
    let shape = source.shape
    let rows = rows
    rows.report(0, of: shape)
    var exporter = try TableExporter(
      source, entities: entities, database: database, rule: options.division.rule)
    let outcome = try exporter.run(
      RowRange(), to: writer, record: { try witness?.take($0, of: shape) },
      progress: { rows.report($0, of: shape) })
    try note(outcome, of: shape, entities)
    return outcome
  }

  /// Exports the rows of a table that have to be read, and lists the parts between them.
  private mutating func export(
    _ segments: [TableSegment], of source: TableSource, _ entities: NumberedEntities
  ) throws -> RangeOutcome {
    let shape = source.shape
    let rows = rows
    var sum = RangeOutcome()
    rows.report(0, of: shape)
    var exporter = try TableExporter(
      source, entities: entities, database: database, rule: options.division.rule)
    for (number, segment) in segments.enumerated() {
      try Task<Never, Never>.checkCancellation()
      try witness?.begin(segment: number, of: shape)
      switch segment {
      case .kept(let parts):
        if number > 0, let first = parts.first?.firstKey, sum.behind != [first] {
          throw KeptPartsMismatch()
        }
        for part in parts {
          for entry in part.entries {
            let name = NumberedEntryName(
              folder: shape.folder, number: sum.partCount, ending: entry.ending)
            try writer.list(name: name.text, size: entry.size, entry.digest)
          }
          sum.partCount += 1
          sum.rowCount += part.rowCount
        }
      case .read(let range):
        exporter.firstPart = sum.partCount
        let before = sum.rowCount
        let outcome: RangeOutcome
        do {
          outcome = try exporter.run(
            range, to: writer, record: { try witness?.take($0, of: shape) },
            progress: { rows.report(before + $0, of: shape) })
        } catch let error as CofferError where error.code == .damagedStore {
          // Whoever reads all rows finds out whether it is.
          throw KeptPartsMismatch()
        }
        sum.add(outcome)
      }
    }
    try note(sum, of: shape, entities)
    return sum
  }

  /// Records the facts about a table.
  private mutating func note(
    _ outcome: RangeOutcome, of shape: TableLayout, _ entities: NumberedEntities
  ) throws(CofferError) {
    rows.end(outcome.rowCount, of: shape)
    shortLineCount += outcome.shortLineCount
    indexEntries.add(outcome.rowCount, of: shape.storedName)
    content.add(outcome.rowCount, of: shape.kind, toOneCount: outcome.toOneCount)
    references.append(TableReferences(table: shape, list: outcome.externalReferences))
    findings.add(outcome.convertedValues, of: shape, in: store.catalog, entities)
    let most = ArchiveLimits.standard.administrationRows
    guard !shape.isAdministration || outcome.rowCount <= most else {
      throw CofferError(
        .damagedStore, path: store.path, item: "table \(shape.storedName)",
        detail: "no import could restore it: it has more than \(most) rows")
    }
  }

  /// Reports the losses of a damaged store, and the references to lost rows.
  private mutating func noteLosses(_ salvage: StoreSalvage, _ tables: StoreTables) throws {
    if !store.catalog.isWhole { log.addLostSchema(store.layout.missing) }
    log.add(missingLogBytes: store.missingLogBytes, try store.logDefect())
    for table in salvage.tables { log.add(table) }
    for shape in salvage.misplaced { log.add(misplaced: shape) }
    for finding in log.takeFindings() { findings.add(finding) }
    try LostReferences(
      model: store.model, entities: tables.entities, shapes: tables.sources.map(\.shape),
      salvage: salvage
    ).check(database) { reference, finding in
      log.add(reference)
      findings.add(finding)
    }
  }

  /// Writes the files of external binary data, including those that no object refers to.
  private mutating func exportFiles(_ entities: NumberedEntities) throws -> Int {
    guard let folder = try supportFolder() else { return 0 }
    var present: Set<Name> = []
    var count = 0
    for (number, file) in folder.files.enumerated() {
      reportFiles(number, of: folder)
      try Task<Never, Never>.checkCancellation()
      guard try export(file, of: folder) else { continue }
      count += 1
      if let name = file.externalName { present.insert(Name(name)) }
    }
    if !folder.files.isEmpty { reportFiles(folder.files.count, of: folder) }
    for irregular in folder.irregular {
      findings.add(Finding(.irregularExternalData, detail: irregular.description))
    }
    for name in folder.strays { findings.add(Finding(.unknownCompanion, detail: name)) }
    let links = folder.irregular.links
    for found in references {
      for reference in found.list where !present.contains(Name(reference.fileName)) {
        witness?.noteMissingFile()
        findings.add(
          .missingExternalData,
          reference.missingFinding(in: found.table, entities, links: links))
      }
    }
    return count
  }

  private func reportFiles(_ count: Int, of folder: SupportFolder) {
    progress.report(
      WorkProgress(
        .externalData, completed: count, total: folder.files.count,
        byteCount: writer.plainByteCount))
  }

  /// The files next to the store; nil if they cannot be listed and that is tolerated.
  private mutating func supportFolder() throws -> SupportFolder? {
    do {
      return try SupportFolder(of: StorePaths(store: store.path))
    } catch {
      guard salvages, error.code == .readFailed else { throw error }
      log.add(file: error.place.path, detail: error.detail)
      for finding in log.takeFindings() { findings.add(finding) }
      return nil
    }
  }

  /// Writes a file; returns false if the file has disappeared, or cannot be read and that is tolerated.
  private mutating func export(
    _ file: SupportFolder.File, of folder: SupportFolder
  ) throws -> Bool {
    let name = ExternalEntryName.entry(for: file.components)
    if let witness, let digest = witness.digest(ofFile: name, folder.identity(of: file)) {
      try writer.list(name: name, size: file.size, digest)
      return true
    }
    if salvages {
      // A trial without output: an entry that was started must be completed.
      do {
        _ = try unsafe folder.read(file, begin: {}, { _ in })
      } catch let error as CofferError where error.code == .readFailed {
        log.add(file: name, detail: error.detail)
        for finding in log.takeFindings() { findings.add(finding) }
        return false
      }
    }
    let isThere = try unsafe folder.read(
      file, begin: { try writer.beginEntry(name: name, size: file.size) },
      { unsafe try writer.write($0) })
    if isThere { try writer.endEntry() }
    return isThere
  }
}

extension ArchiveWriter {
  /// Adds a JSON document; throws `archive-limit` for one that no import would read.
  package func add(_ name: String, document: JSONValue) throws(CofferError) {
    var text = JSONBuffer()
    document.write(into: &text, layout: .indented)
    let limits = ArchiveLimits.standard
    guard text.count <= limits.documentSize, document.valueCount <= limits.documentValues else {
      throw CofferError(
        .archiveLimit, entry: name,
        detail: "the model or the schema of the store is larger than an archive allows")
    }
    try unsafe text.withUnsafeBytes { bytes throws(CofferError) in
      unsafe try add(name: name, bytes: bytes)
    }
  }
}
