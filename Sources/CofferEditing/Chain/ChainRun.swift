internal import CofferComparison
internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

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

  /// Writes all entries.
  ///
  /// - Parameter digest: the content digest that the result must have.
  /// - Returns: the written archive, and its entries.
  /// - Throws: the errors of ``BackupChain/write(to:options:)``.
  func complete(_ digest: String) throws -> (summary: ChainSummary, index: ArchiveIndex) {
    var summary = ChainSummary()
    let layout = LayoutDocument(
      entities: description.layout.entities,
      tables: description.layout.tables.map(\.holdingObjects))
    try writeDocuments(layout)
    for shape in layout.tables { try write(shape, layout.entities, &summary) }
    try writeFiles()
    if full.file.index[ArchiveEntryName.salvage] != nil {
      try writer.copy(ArchiveEntryName.salvage, of: full, reusesMembers: options.reusesMembers)
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
    summary.plainByteCount = index.entries.reduce(0) { $0 + $1.size }
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
    let own = full.documents.layout.tables.first {
      $0.storedName.hasSameBytes(as: shape.storedName)
    }
    guard let own else { preconditionFailure("the tables were compared") }
    let builder = PartBuilder(
      shape, entities, description.schema, to: writer, reusesMembers: options.reusesMembers,
      witness: witness)
    let isReplaced = changes?.isWhole(own) ?? false
    if let changes, !isReplaced, changes.touches(own),
      KeyRule(own, schema: full.documents.schema).columns.isEmpty
    {
      var table = try LooseTable(own, of: full, to: builder)
      try changes.join(own, &table)
    } else {
      var table = ChainTable(own, of: full, isReplaced: isReplaced, to: builder)
      if let changes { try changes.join(own, &table) } else { try table.finish() }
    }
    if shape.kind == .entity { summary.objectCount += builder.rowCount }
  }

  // MARK: Files

  /// The place of a file's bytes.
  private enum Source {
    case full(String)
    case changes(ChangesFile, ArchiveIndex.Entry)
    case elsewhere(ArchiveDigest, size: Int)
  }

  private func writeFiles() throws {
    var files: [(components: [String], source: Source)] = []
    var changed: [Name: ChangesConcatenation.JoinedFile] = [:]
    for change in try changes?.joinedFiles() ?? [] { changed[change.file.name] = change }
    for (components, entry) in full.files {
      let change = changed.removeValue(
        forKey: Name(components.joined(separator: "/")))
      guard let change else {
        files.append((components, .full(entry.name)))
        continue
      }
      if change.file.before == nil { throw wrong(change, "it exists, but the changes add it") }
      try add(change, to: &files)
    }
    for change in changed.values {
      if change.file.before != nil {
        throw wrong(change, "it does not exist, but the changes begin with it")
      }
      try add(change, to: &files)
    }
    files.sort { left, right in
      left.components.lexicographicallyPrecedes(right.components) {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
    }
    for (components, source) in files {
      try Task<Never, Never>.checkCancellation()
      try write(components, source)
    }
  }

  private func add(
    _ change: ChangesConcatenation.JoinedFile,
    to files: inout [(components: [String], source: Source)]
  ) throws {
    guard let after = change.file.after, let changes else { return }
    if let entry = after.entry {
      files.append((change.file.components, .changes(changes.file(change.after), entry)))
    } else if let digest = after.digest {
      files.append((change.file.components, .elsewhere(digest, size: after.size ?? 0)))
    }
  }

  private func write(_ components: [String], _ source: Source) throws {
    let name = ExternalEntryName.entry(for: components)
    switch source {
    case .full(let entry):
      try writer.copy(entry, of: full, reusesMembers: options.reusesMembers)
    case .changes(let file, let entry):
      try writer.beginEntry(name: name, size: entry.size)
      try unsafe file.archive.file.readPieces(of: entry.name) { unsafe try writer.write($0) }
      try writer.endEntry()
    case .elsewhere(let digest, let size):
      guard let readFile else {
        throw CofferError(
          .missingEntry, path: full.path, entry: name,
          detail: "its content is stored outside of the changes, with the digest \(digest)")
      }
      var hasher = ContentHasher()
      try writer.beginEntry(name: name, size: size)
      try readFile(digest.hex) { piece in
        unsafe piece.withUnsafeBytes { unsafe hasher.update($0) }
        try writer.write(ContiguousArray(piece))
      }
      try writer.endEntry()
      guard hasher.digest == digest else {
        throw CofferError(
          .damagedArchive, path: full.path, entry: name,
          detail: "the file with its content does not have the digest \(digest)")
      }
    }
  }

  private func wrong(_ change: ChangesConcatenation.JoinedFile, _ detail: String) -> CofferError {
    CofferError(.wrongState, path: full.path, item: change.file.name.text, detail: detail)
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

extension ChangesConcatenation {
  /// Whether a file has lines of a table.
  fileprivate func touches(_ shape: TableLayout) -> Bool {
    (0..<fileCount).contains { number in
      let file = file(number)
      return !file.archive.parts(of: own(shape, file)).isEmpty
    }
  }
}
