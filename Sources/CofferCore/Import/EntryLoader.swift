internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Restores the entries of an archive, one by one.
///
/// Lines are decoded on another thread, so rows are inserted a few entries later.
struct EntryLoader {
  private let archive: String
  private let documents: ArchiveDocuments
  private let catalog: SchemaCatalog
  private let database: SQLiteDatabase
  private let files: SupportFolderWriter
  private let options: ImportOptions
  private let progress: any ProgressReporter
  private let rows: RowProgress
  private let limits: ArchiveLimits
  private let salvage: Salvage?
  private let values: ValueLoader
  private let inserted: InsertedReferences?

  private var current: TableLoading?
  var ahead: ParallelLineDecoder
  /// Reads the lines of the table that is being read, ahead of the rows that are being inserted.
  private var lineReader: LineReader?
  private(set) var isBroken = false
  /// The references to files, by batches: there can be a million.
  private var references: [(table: TableLayout, list: [ExternalReference])] = []
  private var fileNames: Set<Name> = []
  /// The number of short lines so far.
  private var shortLineCount = 0
  var expectedValues = ExpectedValues()

  /// The findings about values that SQLite converted.
  private(set) var findings = FindingCollector()
  /// The finding that the archive was made from a damaged store, or nil.
  private(set) var salvageFinding: Finding?
  /// The numbers of restored rows by kind.
  private(set) var content = ContentCounts()
  /// The number of restored rows by the folder of their table.
  private var rowCounts: [Name: Int] = [:]

  init(
    reader: ArchiveReader, archive: String, documents: ArchiveDocuments, catalog: SchemaCatalog,
    database: SQLiteDatabase, files: SupportFolderWriter, options: ImportOptions,
    objectTotal: Int?, progress: any ProgressReporter, inserted: InsertedReferences? = nil,
    salvage: Salvage? = nil
  ) {
    self.salvage = salvage
    self.inserted = inserted
    limits = reader.limits
    // One decodes faster than SQLite inserts.
    ahead = ParallelLineDecoder(
      threads: 1, limits: limits,
      tolerance: salvage == nil ? .none : .losses)
    self.archive = archive
    self.documents = documents
    self.catalog = catalog
    self.database = database
    self.files = files
    self.options = options
    self.progress = progress
    rows = RowProgress(progress, objectTotal: objectTotal, bytes: { reader.plainByteCount })
    values = ValueLoader(
      database: database, salvage: salvage, entityNames: documents.layout.entities.names)
  }

  /// Completes the last table after all entries.
  mutating func finish() {
    finishTable()
    rows.finishPhase()
  }

  /// Reports the files that objects refer to but the archive lacks.
  func reportMissingFiles(to findings: inout FindingCollector) {
    for (table, list) in references {
      for reference in list where !fileNames.contains(Name(reference.fileName)) {
        findings.add(
          .missingExternalData, reference.missingFinding(in: table, documents.layout.entities))
      }
    }
  }

  /// Reports the tables with a row count in the index that differs from the number of restored rows.
  func compareCounts(with index: ArchiveIndex?, _ findings: inout FindingCollector) {
    guard let index else { return }
    var listed: [Name: Int] = [:]
    for entry in index.entries {
      let (objects, rows) = (entry.attributes.objects, entry.attributes.rows ?? 0)
      let count = objects.reduce(rows) { $0 &+ $1.count }
      // Most entries can be values, which count nothing.
      guard count != 0, let name = PartEntryName(entry.name), name.isLines else { continue }
      listed[Name(name.folder), default: 0] &+= count
    }
    for (folder, count) in rowCounts.sorted(by: { $0.key < $1.key }) {
      let expected = listed[folder] ?? 0
      guard expected != count else { continue }
      findings.add(
        Finding(
          .archiveCountMismatch,
          detail: "\(folder): it contains \(count) rows; the index says \(expected) rows"))
    }
  }

  /// Inserts the rows of the oldest part.
  mutating func takeNext() throws {
    guard let part = ahead.next else { return }
    isBroken = true
    let (shape, entry) = (part.table, part.entry.name)
    try begin(shape)
    guard let current else { return }
    let (place, inserted) = (ArchivePlace(path: archive, entry: entry, limits: limits), inserted)
    try ahead.takeNext { rows in
      shortLineCount += rows.shortLineCount
      try place.requireFewShortLines(shortLineCount)
      try current.loader.insert(rows, entry: entry)
      inserted?.take(rows, of: shape)
      return true
    }
    for value in current.loader.takeOutOfLineValues() {
      try expect(value, of: shape, in: part.name)
    }
    findings.add(
      current.loader.takeConvertedValues(), of: shape, in: catalog, documents.layout.entities)
    let list = current.loader.takeExternalReferences()
    if !list.isEmpty { references.append((shape, list)) }
    if shape.isAdministration { try place.requireFewRows(current.loader.rowCount) }
    isBroken = false
    rows.report(current.loader.rowCount, of: shape)
  }

  /// Starts to insert the rows of a part.
  private mutating func begin(_ table: TableLayout) throws {
    try reportMissingValues()
    if current?.shape.folder.hasSameBytes(as: table.folder) != true {
      finishTable()
      if table.isInternal { try database.removeRows(of: table.storedName) }
      current = TableLoading(
        try TableLoader(
          table, catalog.table(table.storedName), database: database,
          place: TableLoader.LoadingPlace(
            archive: archive, limits: limits, entityNames: documents.layout.entities.names),
          salvage: salvage))
      rows.report(0, of: table)
    }
    current?.loader.beginPart()
  }

  private mutating func finishTable() {
    guard let table = current else { return }
    rows.end(table.loader.rowCount, of: table.shape)
    content.add(table.loader.rowCount, of: table.shape.kind, toOneCount: table.loader.toOneCount)
    rowCounts[Name(table.shape.folder), default: 0] += table.loader.rowCount
    current = nil
  }
}

extension EntryLoader: ArchiveVisitor {
  mutating func visitLines(of part: ArchivePart, _ reader: ArchiveReader) throws {
    guard try options.restores(part.table, from: archive) else { return }
    if part.beginsTable || lineReader == nil {
      lineReader = LineReader(part.table, entities: documents.layout.entities)
    }
    guard let lineReader else { return }
    let memory = try memory(for: part.entry.size)
    try ahead.read(part, from: reader, into: memory, lineReader)
  }

  func visitValue(
    _ value: OutOfLineValue, of table: TableLayout, entry: String, _ reader: ArchiveReader
  ) throws {
    do {
      try values.load(value, of: table, from: reader)
    } catch let error as CofferError {
      let object = ManagedObjectID(entityName: table.entityName ?? "", primaryKey: value.row)
      throw error.blaming(
        archive, entry: entry, item: table.kind == .entity ? object.description : nil,
        "the value cannot be stored")
    }
  }

  mutating func visitFile(_ components: [String], size: Int, _ reader: ArchiveReader) throws {
    guard options.keepsFile(components) else { return }
    if components.count == 2, components[0] == StorePaths.externalDataFolderName {
      fileNames.insert(Name(components[1]))
    }
    unsafe try files.write(components, size: size) { unsafe try reader.read(into: $0) }
    if content.externalFileCount == 0 { rows.finishPhase() }
    content.externalFileCount += 1
    progress.report(
      WorkProgress(
        .externalData, completed: content.externalFileCount, byteCount: reader.plainByteCount))
  }

  mutating func visitSalvage(_ finding: Finding) { salvageFinding = finding }

  /// Throws the defect as an error, unless the import salvages.
  func report(_ defect: ArchiveDefect) throws {
    switch defect.kind {
    case .missingValue(let value), .wrongValueSize(let value):
      guard salvage != nil else { throw defect.error(path: archive) }
      try values.lose(value, of: defect.table, entry: defect.entry)
    case .invalidLine, .sharedValue, .scatteredParts: throw defect.error(path: archive)
    }
  }
}

/// The loader of the current table, in a class because it cannot be copied.
private final class TableLoading {
  var loader: TableLoader
  var shape: TableLayout { loader.shape }

  init(_ loader: consuming TableLoader) { self.loader = loader }
}
