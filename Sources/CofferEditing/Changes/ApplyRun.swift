internal import CofferComparison
internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// One application of changes to the private copy of a store.
final class ApplyRun {
  private let file: ChangesFile
  private let copy: EditedCopy
  private let options: ApplyOptions
  private let progress: any ProgressReporter
  private(set) var summary: ApplySummary

  private var store: PersistentStore { copy.store }

  init(
    _ file: ChangesFile, to copy: EditedCopy, options: ApplyOptions,
    progress: any ProgressReporter
  ) {
    self.file = file
    self.copy = copy
    self.options = options
    self.progress = progress
    summary = ApplySummary(changes: ChangesSummary(), storeUUID: copy.store.uuid)
  }

  /// Changes the copy.
  func complete() throws {
    try store.use { database in
      try StateCompatibility.require(
        StoreRowSource(store, database, blobLimit: LineLimits.ownEntry), file.documents,
        path: store.path)
    }
    try copy.edit(settings: changedSettings()) { database, files in
      try changeRows(database)
      try change(files)
    }
  }

  /// Verifies the result; defects of the original store do not count.
  ///
  /// - Throws: ``CofferError``: `damaged-archive` if the result is not the recorded state,
  ///   `new-findings` for new errors if the options are strict; errors from reading.
  func requireSoundness() throws {
    let found = try copy.newFindings()
    summary.findings = found.findings
    summary.errorCount = found.count(of: .error)
    if options.isStrict { _ = try copy.requireNoErrors(found, advice: .acceptNewFindings) }
    try requireStatedContent()
  }

  /// Checks that changes which begin with exactly this store produce the recorded state.
  ///
  /// A store that differs in places that the changes do not cover cannot reach that state.
  private func requireStatedContent() throws {
    guard let begin = file.before.digest, let end = file.after.digest,
      try copy.contentDigestOfCopy() != end, try copy.contentDigestOfStore() == begin
    else { return }
    throw CofferError(
      .damagedArchive, path: file.path, entry: ArchiveEntryName.changes,
      detail: "applying the changes does not produce the recorded state")
  }

  func writeUndo(to target: ArchiveTarget, _ writing: ChangesOptions) throws {
    var undo = file
    undo.isReversed.toggle()
    // The store may differ from both states in places that the changes do not cover.
    (undo.states.before.digest, undo.states.after.digest) = (nil, nil)
    _ = try undo.write(to: target, writing)
  }

  /// The database settings that the changes set; nil if they do not change them.
  private func changedSettings() throws(CofferError) -> StoreEditor.Settings? {
    let (before, after) = (file.before, file.after)
    summary.changes.add(file.states, of: file.documents.manifest)
    guard !before.hasSameSettings(as: after) else { return nil }
    guard before.hasSameSettings(as: ChangesDocument.State(SchemaDocument(store))) else {
      throw CofferError(
        .wrongState, path: store.path,
        detail: "its journal mode, user version or application ID is not the one that the changes "
          + "begin with")
    }
    return StoreEditor.Settings(
      journalMode: after.journalMode == "wal" ? .wal : .delete, userVersion: after.userVersion,
      applicationID: after.applicationID)
  }

  // MARK: Rows

  private func changeRows(_ database: SQLiteDatabase) throws {
    let tables = StoreTables(store)
    let layout = file.documents.layout
    let sequences = try database.savedSequences()
    // SQLite's own tables are changed last, and compared first: SQLite itself changes them.
    for shape in layout.tables where shape.isInternal {
      var check = try editing(shape, tables, database, for: .check)
      try file.read(shape, &check)
    }
    let rows = RowProgress(progress, objectTotal: nil)
    var isRestored = false
    for shape in layout.tables.filter({ !$0.isInternal }) + layout.tables.filter(\.isInternal) {
      if shape.isInternal, !isRestored {
        if let sequences { try database.restoreSequences(sequences) }
        isRestored = true
      }
      var handler = CountingHandler(try editing(shape, tables, database), shape)
      try file.read(shape, &handler)
      summary.changes.add(handler.counts, of: shape, layout.entities)
      rows.end(handler.counts.values.reduce(0) { $0 + $1.total }, of: shape)
    }
    rows.finishPhase()
  }

  private func editing(
    _ shape: TableLayout, _ tables: StoreTables, _ database: SQLiteDatabase,
    for purpose: TableEditing.Purpose = .change
  ) throws -> TableEditing {
    guard let own = tables.source(of: shape) else {
      preconditionFailure("the tables were compared")
    }
    return try TableEditing(own, tables.entities, in: database, place: store.path, for: purpose)
  }

  // MARK: Files

  private func change(_ files: EditedFiles) throws {
    let present = files.folder.files.byPath
    for change in file.files {
      try Task<Never, Never>.checkCancellation()
      try require(change, present[change.name], files.folder)
      try files.replace(change, from: file)
      summary.changes.add(change)
    }
  }

  /// Checks that a file has the content that the changes begin with.
  private func require(
    _ change: ChangedFile, _ file: SupportFolder.File?, _ folder: SupportFolder
  ) throws {
    guard let before = change.before else {
      if file == nil { return }
      throw wrongFile(change, "it exists, but the changes add it")
    }
    guard let file else {
      throw wrongFile(change, "it does not exist, but the changes begin with it")
    }
    var hasher = ContentHasher()
    _ = try unsafe folder.read(file, begin: {}, { unsafe hasher.update($0) })
    guard hasher.digest == before.digest else {
      throw wrongFile(change, "its content differs from the content that the changes begin with")
    }
  }

  private func wrongFile(_ file: ChangedFile, _ detail: String) -> CofferError {
    CofferError(.wrongState, path: store.path, item: file.name.text, detail: detail)
  }
}
