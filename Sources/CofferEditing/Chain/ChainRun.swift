internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Writes the archive of a chain, from its first entry to its last.
struct ChainRun {
  private let full: OpenArchive
  private let changes: ChangesConcatenation?
  private let readFile: BackupChain.FileReader?
  private let writer: ArchiveWriter
  private let options: ChainOptions
  private let witness: (any RowWitness)?
  /// The description of the last state.
  private let description: ChangesDescription

  init(
    _ full: OpenArchive, _ changes: ChangesConcatenation?, _ description: ChangesDescription,
    _ readFile: BackupChain.FileReader?, to writer: ArchiveWriter, _ options: ChainOptions,
    witness: (any RowWitness)?
  ) {
    (self.full, self.changes, self.readFile) = (full, changes, readFile)
    (self.writer, self.options, self.witness) = (writer, options, witness)
    self.description = description
  }

  /// Writes all entries; returns the written archive, and its entries.
  func complete(_ digest: String) throws -> (summary: ChainSummary, index: ArchiveIndex) {
    var summary = ChainSummary()
    let layout = description.stateLayout
    try writeDocuments(layout)
    for shape in layout.tables { try write(shape, layout.entities, &summary) }
    try writeFiles()
    if full.file.index[ArchiveEntryName.salvage] != nil {
      try writer.copy(ArchiveEntryName.salvage, of: full, options)
    }
    let index = try writer.finish { index throws(CofferError) in
      guard index.contentDigest.hex == digest else {
        throw CofferError(
          .wrongState, path: full.path,
          detail: "applying the changes does not produce the recorded state",
          advice: "Check the files: one of them is damaged, or was not written by coffer.")
      }
    }
    summary.digest = index.rootDigest.hex
    summary.contentDigest = index.contentDigest.hex
    summary.byteCount = writer.byteCount
    return (summary, index)
  }

  private func writeDocuments(_ layout: LayoutDocument) throws {
    var manifest = description.manifest
    manifest.kind = .store
    try writer.add(ArchiveEntryName.manifest, document: manifest.encoded())
    try writer.add(
      ArchiveEntryName.model,
      document: ModelDocument(model: description.model, versionHashes: description.versionHashes)
        .value)
    try writer.add(ArchiveEntryName.schema, document: description.schema.encoded())
    try writer.add(ArchiveEntryName.layout, document: layout.encoded())
  }

  // MARK: Tables

  private func write(
    _ shape: TableLayout, _ entities: NumberedEntities, _ summary: inout ChainSummary
  ) throws {
    let own = full.table(as: shape)
    let builder = PartBuilder(
      shape, entities, description.schema, to: writer, options, witness: witness)
    var reading = ChainRows.Options(keepsLines: true)
    reading.takesPart = { [full] part in
      guard builder.takesParts else { return false }
      try builder.append(part, of: full)
      return true
    }
    let rows = try ChainRows(own, of: full, changes, reading)
    while try rows.advance() {
      if let line = rows.unchangedLine {
        try unsafe line.withUnsafeBytes { unsafe try builder.append(line: $0, of: rows.row) }
      } else {
        try builder.append(rows.side)
      }
    }
    try builder.finish()
    if shape.kind == .entity { summary.objectCount += builder.rowCount }
  }

  // MARK: Files

  private func writeFiles() throws {
    for file in try ChainFile.all(of: full, changes) {
      try Task<Never, Never>.checkCancellation()
      let name = ExternalEntryName.entry(for: file.components)
      if case .full(let entry) = file.source {
        try writer.copy(entry.name, of: full, options)
        continue
      }
      try writer.beginEntry(name: name, size: file.size)
      try unsafe file.read(in: full, readFile) { unsafe try writer.write($0) }
      try writer.endEntry()
    }
  }
}

extension OpenArchive {
  /// A table of changes since, in the archive.
  func table(as shape: TableLayout) -> TableLayout {
    let own = documents.layout.tables.first {
      $0.storedName.hasSameBytes(as: shape.storedName)
    }
    guard let own else { preconditionFailure("the tables were compared") }
    return own
  }
}

extension ChangesDescription {
  var stateLayout: LayoutDocument {
    LayoutDocument(entities: layout.entities, tables: layout.tables.map(\.holdingObjects))
  }
}

extension TableLayout {
  /// The table with the folder that its rows have in an archive.
  fileprivate var holdingObjects: TableLayout {
    guard kind == .entity, folder.hasPrefix("changes/") else { return self }
    var shape = self
    shape.folder = "entities" + folder.dropFirst("changes".count)
    return shape
  }
}
