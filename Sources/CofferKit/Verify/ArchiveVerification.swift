internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Verifies an archive in one pass without restoring anything.
///
/// The archive may come from a pipe.
struct ArchiveVerification {
  private let reader: ArchiveReader
  private let place: String
  private let documents: ArchiveDocuments
  private let run: VerificationRun
  private let firstEntry: ArchiveEntryHeader?
  private let tables: [ExactString: VerifiedTable]
  private let reading = SystemTableReader()

  private let schemaTrial: SchemaTrial?

  private var current:
    (table: TableVerification, reader: LineReader, trial: RowTrial?, ends: PartEnds?)?
  private var lines: ContiguousArray<UInt8> = []
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
      place: place, model: documents.model, modelProblem: nil, givenModel: options.model,
      layout: documents.layout, schema: documents.schema, store: nil)
    let rows = RowProgress(
      progress, objectTotal: objectTotal, bytes: { reader.plainByteCount })
    run = VerificationRun(
      of: subject, options: options, filter: filter, audience: audience, progress: progress,
      rows: rows)
    tables = Dictionary(run.context.tables.map { (ExactString($0.shape.folder), $0) }) { first, _ in
      first
    }
    audit = ArchiveAudit(run.context)
  }

  /// Runs the verification.
  ///
  /// - Throws: `CofferError` if the archive becomes unreadable or exceeds a limit, errors from the
  ///   receiver of the findings, `CancellationError`.
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
    run.rowsDone()
    try audit.finish(reader)
    run.context.administration = reading.administration
    var summary = try run.finish(.archive)
    // A contradictory index tells nothing of the content.
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
    guard let table = tables[part.table.folder] else { return }
    try reportMissingValues()
    // Moved out, so that references of its lines can be recorded meanwhile.
    var lines: ContiguousArray<UInt8> = []
    swap(&lines, &self.lines)
    defer { swap(&lines, &self.lines) }
    try reader.readWhole(into: &lines)
    if part.beginsTable {
      try finishTable()
      try audit.begin(table, entry: part.entry.name)
      let lineReader = LineReader(part.table, entities: documents.layout.entities)
      let trial = try schemaTrial.flatMap { trial throws(CofferError) in
        try RowTrial(part.table, documents, in: trial.construction)
      }
      let ends =
        run.context.options.runs(.archive) ? PartEnds(part.table, schema: documents.schema) : nil
      current = (try run.begin(table), lineReader, trial, ends)
    }
    try audit.begin(part.name, of: table)
    guard let (verification, lineReader, trial, ends) = current else { return }
    var verified = PartVerification(
      part, into: verification, lineReader: lineReader, context: run.context,
      limits: reader.limits)
    verified.trial = trial
    verified.ends = ends
    (verified.invalidCount, verified.gaveUp) = invalidLines
    verified.shortLineCount = shortLineCount
    try verified.run(&lines) { values in
      reading.take(verification.cells, of: part.table, values)
      for value in values { try expect(value, of: part.table, in: part.name) }
    }
    invalidLines = (verified.invalidCount, verified.gaveUp)
    shortLineCount = verified.shortLineCount
    audit.add(verified.attributes, of: part.entry.name)
    run.report(verification)
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
