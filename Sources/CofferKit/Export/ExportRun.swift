internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// One export from its first entry to its last.
struct ExportRun {
  let store: PersistentStore
  let database: SQLiteDatabase
  let writer: ArchiveWriter
  let progress: any ProgressReporter

  private var objectCount = 0
  private var pairCount = 0
  private var toOneCount = 0
  private var otherRowCount = 0
  private var references: [TableReference] = []
  private var findings = FindingCollector()

  /// A reference to an external file, with the table that it was met in.
  private struct TableReference {
    var table: TableShape
    var reference: ExternalReference
  }

  init(
    store: PersistentStore, database: SQLiteDatabase, writer: ArchiveWriter,
    progress: any ProgressReporter
  ) {
    self.store = store
    self.database = database
    self.writer = writer
    self.progress = progress
  }

  /// Writes all entries.
  mutating func complete() throws -> ExportSummary {
    let tables = StoreTables(store)
    try writeDocuments(tables)
    let estimate = store.estimatedObjectCount
    for source in tables.sources {
      try exportTable(source, tables.entities, estimate)
    }
    let fileCount = try exportFiles(tables.entities)
    try store.requireInPlace()
    let index = try writer.finish()
    return ExportSummary(
      objectCount: objectCount, relationshipCount: toOneCount + pairCount,
      entityCount: store.model.entities.count, otherRowCount: otherRowCount,
      externalFileCount: fileCount, digest: index.rootDigest.description,
      plainByteCount: index.entries.reduce(0) { $0 + $1.size },
      byteCount: writer.byteCount, findings: findings.findings,
      errorCount: findings.count(of: .error))
  }

  private func writeDocuments(_ tables: StoreTables) throws {
    let manifest = ArchiveManifest(
      storeUUID: store.uuid, frameworkVersion: store.frameworkVersion,
      modelSource: store.model.source.rawValue, entityNames: tables.entities.entities.map(\.name))
    try writer.add(ArchiveEntryName.manifest, document: manifest.encoded())
    try writer.add(
      ArchiveEntryName.model,
      document: ModelDocument(
        model: store.model, versionHashes: store.metadata.modelVersionHashes
      ).value)
    try writer.add(ArchiveEntryName.schema, document: SchemaDocument(store).encoded())
    let layout = LayoutDocument(entities: tables.entities, tables: tables.sources.map(\.shape))
    try writer.add(ArchiveEntryName.layout, document: layout.encoded())
  }

  private mutating func exportTable(
    _ source: TableSource, _ entities: ArchiveEntities, _ estimate: Int
  ) throws {
    let shape = source.shape
    let done = objectCount
    let reporter = progress
    var exporter = try TableExporter(source, entities: entities, database: database, writer: writer)
    try exporter.run { rows in
      if shape.kind == .entity {
        reporter.report(
          WorkProgress(phase: "objects", completed: done + rows, total: max(estimate, done + rows)))
      } else {
        reporter.report(WorkProgress(phase: shape.folder, completed: rows, total: nil))
      }
    }
    switch shape.kind {
    case .entity: objectCount += exporter.rowCount
    case .relationship: pairCount += exporter.rowCount
    case .metadata, .primaryKeys, .modelCache: break
    default: otherRowCount += exporter.rowCount
    }
    toOneCount += exporter.toOneCount
    references += exporter.externalReferences.map { TableReference(table: shape, reference: $0) }
  }

  /// Writes the files of external binary data, those included that nothing refers to.
  private mutating func exportFiles(_ entities: ArchiveEntities) throws -> Int {
    let folder = try SupportFolder(of: StorePaths(store: store.path))
    var present: Set<String> = []
    var count = 0
    for (number, file) in folder.files.enumerated() {
      progress.report(
        WorkProgress(phase: "external data", completed: number, total: folder.files.count))
      try Task<Never, Never>.checkCancellation()
      let isThere = try unsafe folder.read(
        file,
        begin: {
          let name = ExternalEntryName.entry(for: file.components)
          try writer.beginEntry(name: name, size: file.size)
        },
        { unsafe try writer.write($0) })
      guard isThere else { continue }
      try writer.endEntry()
      count += 1
      if let name = file.externalName { present.insert(name) }
    }
    for path in folder.irregular {
      findings.add(Finding(.irregularExternalData, detail: path))
    }
    for found in references where !present.contains(found.reference.fileName) {
      findings.add(found.reference.missingFinding(in: found.table, entities))
    }
    return count
  }
}

extension ArchiveWriter {
  /// Adds a JSON document.
  func add(_ name: String, document: JSONValue) throws(ArchiveError) {
    var text = JSONBuffer()
    document.write(into: &text, layout: .indented)
    try unsafe text.withUnsafeBytes { bytes throws(ArchiveError) in
      unsafe try add(name: name, bytes: bytes)
    }
  }
}
