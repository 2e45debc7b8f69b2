internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Verifies an archive in one pass, also from a pipe, without restoring anything.
final class ArchiveVerification {
  private let reader: ArchiveReader
  private let place: String
  private let documents: ArchiveDocuments
  private let run: VerificationRun
  private let firstEntry: ArchiveEntryHeader?
  private let tables: [String: VerifiedTable]
  private let reading: SystemTableReader

  private var current: (table: TableVerification, reader: LineReader)?
  private var finished: Set<String> = []
  private var blobs: ContiguousArray<UInt8> = []
  private var blobsName = ""
  private var lines: ContiguousArray<UInt8> = []
  private var pending: [String: PendingValue] = [:]
  private var audit: ArchiveAudit

  init(
    _ reader: ArchiveReader, place: String, objectTotal: Int?, _ options: VerificationOptions,
    _ filter: FindingFilter, _ audience: VerificationAudience, _ progress: any ProgressReporter
  ) throws {
    self.reader = reader
    self.place = place
    (documents, firstEntry) = try ArchiveDocuments.read(from: reader, path: place)
    let subject = VerificationSubject(
      place: place, model: documents.model, modelProblem: nil, givenModel: options.model,
      layout: documents.layout, schema: documents.schema, store: nil)
    let rows = RowProgress(
      progress, objectTotal: objectTotal, bytes: { reader.plainByteCount })
    run = VerificationRun(subject, options, filter, audience, progress, rows: rows)
    tables = Dictionary(run.context.tables.map { ($0.shape.folder, $0) }) { first, _ in first }
    reading = SystemTableReader()
    audit = ArchiveAudit(run.context)
  }

  /// Does all of it.
  ///
  /// - Throws: `CofferError` where the archive cannot be read on, ``CofferError``, what the
  ///   receiver of the findings throws, `CancellationError`.
  func complete() throws -> VerificationSummary {
    defer { run.context.releaseChecks() }
    try run.prepare()
    var next = firstEntry
    while let entry = next {
      try Task<Never, Never>.checkCancellation()
      try take(entry)
      next = try reader.next()
    }
    try reportMissingValues()
    try finishTable()
    run.rowsDone()
    try audit.finish(reader)
    run.context.administration = reading.administration
    return try run.finish(.archive)
  }

  private func take(_ entry: ArchiveEntryHeader) throws {
    // The reader reports the second of two entries of one name; what it holds counts for nothing.
    if entry.isDuplicate { return }
    if ExternalEntryName.isFile(entry.name) {
      guard let components = ExternalEntryName.components(of: entry.name) else {
        throw CofferError(
          .damagedArchive, path: place, entry: entry.name,
          detail: "its name is not one that a file of a support folder has")
      }
      run.context.supportFiles.append(SupportFolder.File(components: components, size: entry.size))
      return
    }
    if entry.name == ArchiveEntryName.salvage {
      return try run.context.report(SalvageFinding.finding(try reader.readWhole()))
    }
    guard let name = PartEntryName(entry.name), let table = tables[name.folder] else { return }
    if let value = pending.removeValue(forKey: entry.name) {
      return try takeValue(value, entry, table)
    }
    switch name.ending {
    case "blobs":
      try reader.readWhole(into: &blobs)
      blobsName = name.stem
    case "ndjson":
      try takeLines(entry, name, table)
    default: break
    }
  }

  private func takeValue(
    _ value: PendingValue, _ entry: ArchiveEntryHeader, _ table: VerifiedTable
  ) throws {
    if entry.size != value.length {
      try run.context.report(
        Finding(
          .archiveInvalidLine, detail: "\(entry.name): it has another size than its line says"))
    }
    try reading.take(value, of: table.shape) { try self.reader.readWhole() }
  }

  private func takeLines(
    _ entry: ArchiveEntryHeader, _ name: PartEntryName, _ table: VerifiedTable
  ) throws {
    try reportMissingValues()
    if blobsName != name.stem { blobs.removeAll(keepingCapacity: true) }
    try reader.readWhole(into: &lines)
    if current?.table.table.index != table.index {
      try finishTable()
      if !finished.insert(table.shape.folder).inserted {
        try run.context.report(
          Finding(
            .archiveWrongOrder, entityName: table.shape.entityName,
            detail: "\(entry.name): the parts of a table do not stand together"))
      }
      try audit.begin(table, entry: entry.name)
      let entities = documents.layout.entities
      current = (try run.begin(table), LineReader(table.shape, entities: entities))
    }
    try audit.begin(name, of: table)
    guard let (verification, lineReader) = current else { return }
    var part = PartVerification(
      entry.name, verification, lineReader, run.context, reading, reader.limits)
    try unsafe lines.withUnsafeMutableBytes { lines in
      try unsafe blobs.withUnsafeBytes { blobs in
        unsafe try part.run(lines: lines, blobs: blobs)
      }
    }
    for value in part.pendingValues {
      let entry = "\(name.folder)/\(value.name)"
      guard pending.updateValue(value, forKey: entry) != nil else { continue }
      try run.context.report(
        Finding(.archiveInvalidLine, detail: "\(entry): two values are said to be this entry"))
    }
    audit.add(part.attributes, of: entry.name)
    run.report(verification)
  }

  private func finishTable() throws {
    guard let table = current?.table else { return }
    current = nil
    try run.end(table)
  }

  private func reportMissingValues() throws {
    for name in pending.keys.sorted() {
      try run.context.report(
        Finding(.archiveMissingEntry, detail: "\(name): a line refers to it"))
    }
    pending.removeAll()
  }
}
