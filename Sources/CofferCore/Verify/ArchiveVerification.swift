internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Verifies an archive in one pass without restoring anything.
///
/// The archive may come from a pipe. Other threads inflate, hash and decode parts; the caller's shows
/// their rows to the checks, in order, so that the findings do not depend on the number of threads.
struct ArchiveVerification {
  private let reader: ArchiveReader
  private let place: String
  private let documents: ArchiveDocuments
  private let run: VerificationRun
  private let firstEntry: ArchiveEntryHeader?
  private let tables: [Name: VerifiedTable]
  private let reading = SystemTableReader()

  private let schemaTrial: SchemaTrial?

  var ahead: ParallelLineDecoder
  /// Reads the lines of the table that is being read, ahead of the rows that are being verified.
  private var lineReader: LineReader?
  private var current: (table: TableVerification, trial: RowTrial?, ends: PartEnds?)?
  private(set) var isBroken = false
  private var audit: ArchiveAudit
  private var invalidLines: (count: Int, gaveUp: Bool) = (0, false)
  private var shortLineCount = 0
  var expectedValues = ExpectedValues()

  init(
    _ reader: ArchiveReader, place: String, objectTotal: Int?, options: VerificationOptions,
    filter: FindingFilter, audience: VerificationAudience, progress: any ProgressReporter
  ) throws {
    self.reader = reader
    self.place = place
    (documents, firstEntry) = try ArchiveDocuments.read(from: reader, path: place)
    schemaTrial = try SchemaTrial(documents, archive: place)
    let subject = VerificationSubject(
      place: place, model: documents.model, modelProblem: nil,
      givenModel: options.environment.model?.model,
      layout: documents.layout, schema: documents.schema, store: nil)
    let rows = RowProgress(progress, objectTotal: objectTotal, bytes: { reader.plainByteCount })
    run = VerificationRun(
      of: subject, options: options, filter: filter, audience: audience, progress: progress,
      rows: rows)
    tables = Dictionary(run.context.tables.map { (Name($0.shape.folder), $0) }) { first, _ in
      first
    }
    audit = ArchiveAudit(run.context)
    ahead = ParallelLineDecoder(
      threads: options.threads, limits: reader.limits, tolerance: .invalidLines)
  }

  /// Runs the verification.
  mutating func complete() throws -> VerificationSummary {
    defer {
      run.context.releaseChecks()
      current = nil
      schemaTrial?.construction.abandon()
    }
    try run.prepare()
    var walk = ArchiveWalk(reader, documents.layout, path: place)
    try walk.run(from: firstEntry, &self)
    try finishTable()
    ahead.end()
    run.rowsDone()
    try audit.finish(reader)
    run.context.administration = reading.administration
    var summary = try run.finish(.archive)
    // A contradictory index says nothing about the content.
    if reader.problemCount == 0 { summary.contentDigest = reader.index?.contentDigest.hex }
    return summary
  }

  private mutating func finishTable() throws {
    guard let table = current?.table else { return }
    current = nil
    try run.end(table)
  }
}

extension ArchiveVerification: ArchiveVisitor {
  mutating func visitLines(of part: ArchivePart, _ reader: ArchiveReader) throws {
    guard tables[Name(part.table.folder)] != nil else { return }
    if part.beginsTable || lineReader == nil {
      lineReader = LineReader(part.table, entities: documents.layout.entities)
    }
    guard let lineReader else { return }
    let memory = try memory(for: part.entry.size)
    try ahead.read(part, from: reader, into: memory, lineReader)
  }

  /// Verifies the rows of the oldest part.
  mutating func takeNext() throws {
    guard let part = ahead.next, let table = tables[Name(part.table.folder)] else { return }
    isBroken = true
    try reportMissingValues()
    if part.beginsTable { try begin(part, of: table) }
    try audit.begin(part.name, of: table)
    guard let (verification, trial, ends) = current else { return }
    var verified = PartVerification(
      part, into: verification, context: run.context, limits: reader.limits)
    verified.trial = trial
    verified.ends = ends
    (verified.invalidCount, verified.gaveUp) = invalidLines
    verified.shortLineCount = shortLineCount
    try verified.begin()
    // Moved out, so that references of its lines can be recorded meanwhile.
    var ahead = ahead
    try ahead.takeNext { rows in
      try verified.take(rows) { values in
        reading.take(verification.cells, of: part.table, values)
        for value in values { try expect(value, of: part.table, in: part.name) }
      }
    }
    self.ahead = ahead
    invalidLines = (verified.invalidCount, verified.gaveUp)
    shortLineCount = verified.shortLineCount
    audit.add(verified.attributes, of: part.entry.name)
    run.report(verification)
    isBroken = false
  }

  private mutating func begin(_ part: ArchivePart, of table: VerifiedTable) throws {
    try finishTable()
    try audit.begin(table, entry: part.entry.name)
    let trial = try schemaTrial.flatMap { trial throws(CofferError) in
      try RowTrial(part.table, documents, in: trial.construction)
    }
    let ends =
      run.context.options.runs(.archive) ? PartEnds(part.table, schema: documents.schema) : nil
    current = (try run.begin(table), trial, ends)
  }

  func visitValue(
    _ value: OutOfLineValue, of table: TableLayout, entry: String, _ reader: ArchiveReader
  ) throws {
    try reading.take(value, of: table) { try reader.readWhole() }
  }

  func visitFile(_ components: [String], size: Int, _ reader: ArchiveReader) {
    run.context.supportFiles.append(SupportFolder.File(components: components, size: size))
  }

  func visitSalvage(_ finding: Finding) throws { try run.context.report(finding) }

  func report(_ defect: ArchiveDefect) throws {
    guard case .missingValue = defect.kind else { return try run.context.report(defect.finding) }
    try run.context.report(.archiveMissingEntry, of: nil, defect.finding)
  }
}

/// Collects the rows of the system tables from an archive.
final class SystemTableReader {
  /// The number of rows of a table to keep; no store has nearly as many.
  private static let maxRows = 5000

  /// The system tables found so far.
  var administration: SystemTables {
    var tables = found
    if !entityRows.isEmpty { tables.registry = EntityRegistry(rows: entityRows) }
    return tables
  }

  private var found = SystemTables()
  private var entityRows: [EntityRegistry.Row] = []
  /// By the number of a value with its own entry: the row that it belongs to.
  private var rows: [Int: Int] = [:]

  /// Takes a row with its values that have their own entries, if it belongs to a system table.
  func take(_ row: Row, of shape: TableLayout, _ values: [OutOfLineValue]) {
    func column(_ name: String) -> Int? { shape.fields.firstIndex { $0.storedName == name } }
    func value(_ name: String) -> SQLiteValue { column(name).map(row.value) ?? .null }
    switch shape.kind {
    case .metadata:
      guard found.metadata.count < Self.maxRows else { return }
      found.metadata.append(
        StoreMetadata(
          version: value(StoredName.metadataVersion).integer,
          uuid: value(StoredName.storeUUID).string,
          propertyList: value(StoredName.metadata).blob ?? []))
      for value in values { rows[value.number] = found.metadata.count - 1 }
    case .primaryKeys:
      guard entityRows.count < Self.maxRows,
        let number = value(StoredName.entityNumber).integer
      else { return }
      entityRows.append(
        EntityRegistry.Row(
          number: number, name: Name(value(StoredName.entityName).string ?? ""),
          superentityNumber: value(StoredName.superentityNumber).integer,
          maximumPrimaryKey: value(StoredName.highestKey)))
    case .modelCache:
      found.hasModelCacheTable = true
      guard found.modelCaches.count < Self.maxRows else { return }
      found.modelCaches.append(value(StoredName.modelCacheContent).blob ?? [])
      for value in values { rows[value.number] = found.modelCaches.count - 1 }
    default: break
    }
  }

  /// Takes the bytes of a value that has its own entry, if it belongs to a system table.
  func take(
    _ value: OutOfLineValue, of shape: TableLayout, read: () throws -> ContiguousArray<UInt8>
  ) throws {
    guard [.metadata, .modelCache].contains(shape.kind),
      let index = rows.removeValue(forKey: value.number)
    else { return }
    let bytes = Array(try read())
    if shape.kind == .metadata {
      let row = found.metadata[index]
      found.metadata[index] = StoreMetadata(
        version: row.version, uuid: row.uuid, propertyList: bytes)
    } else {
      found.modelCaches[index] = bytes
    }
  }
}
