internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// One application of changes, up to the finished copy of the store.
final class ApplyRun {
  /// What becomes of the files of the support folder that the changes leave alone.
  enum OtherFiles {
    /// They stay where they are, and both stores have them.
    case stay
    /// The changed store, which is only looked at, has other names of them.
    case link
    /// The changed store has copies.
    case copy
  }

  private let file: ChangesFile
  private let store: PersistentStore
  private let options: ApplyOptions
  private let otherFiles: OtherFiles
  private let progress: any ProgressReporter
  private(set) var summary: ApplySummary

  init(
    _ file: ChangesFile, to store: PersistentStore, options: ApplyOptions, otherFiles: OtherFiles,
    progress: any ProgressReporter
  ) {
    self.file = file
    self.store = store
    self.options = options
    self.otherFiles = otherFiles
    self.progress = progress
    summary = ApplySummary(changes: ChangesSummary(), storeUUID: store.uuid)
  }

  /// Writes the changed store.
  ///
  /// - Parameter paths: where to write it; nothing may be there.
  /// - Throws: the errors of ``ChangesApplier/apply(_:to:at:)``.
  func write(to paths: StorePaths) throws {
    try store.use { database in
      try StateCompatibility.require(
        StoreRowSource(store, database, blobLimit: LineLimits.ownEntry), file.documents,
        path: store.path)
    }
    let settings = try changedSettings()
    let editor = try StoreEditor(copying: store, to: paths.store)
    do {
      try editor.use { database in
        try changeRows(database)
        try checkReferences(database)
      }
      try writeFiles(SupportFolderWriter(of: paths))
      try store.requireUnchanged()
      try store.requireInPlace()
      try editor.finish(settings)
      // An open reader would keep the log of the old store from being emptied.
      store.close()
    } catch {
      editor.abandon()
      throw error
    }
  }

  /// Writes the changes that lead back.
  func writeUndo(to target: ArchiveTarget) throws {
    var undo = file
    undo.isReversed.toggle()
    // The store may differ from both states where the changes do not look.
    (undo.states.before.digest, undo.states.after.digest) = (nil, nil)
    _ = try undo.write(to: target, options.undoOptions)
  }

  /// The settings that the changes give the database; nil if they leave them alone.
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
      var check = try editing(shape, tables, database, isCheck: true)
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
    _ shape: TableLayout, _ tables: StoreTables, _ database: SQLiteDatabase, isCheck: Bool = false
  ) throws -> TableEditing {
    let own = tables.sources.first { $0.shape.storedName.hasSameBytes(as: shape.storedName) }
    guard let own else { preconditionFailure("the tables were compared") }
    return try TableEditing(
      own, tables.entities, in: database, place: store.path, isCheck: isCheck)
  }

  // MARK: Files

  /// The files of the support folder that the changed store does not take over; nil if it has all of
  /// its own.
  var removedFiles: Set<ExactString>? {
    otherFiles == .stay ? Set(file.files.filter { $0.before != nil }.map(\.name)) : nil
  }

  private func writeFiles(_ writer: SupportFolderWriter) throws {
    let folder = try SupportFolder(of: StorePaths(store: store.path))
    var changed: [ExactString: ChangedFile] = [:]
    for file in file.files { changed[file.name] = file }
    for file in folder.files {
      try Task<Never, Never>.checkCancellation()
      let name = ExactString(file.path)
      if let change = changed[name] {
        try require(change, file, folder)
      } else {
        switch otherFiles {
        case .stay: break
        case .link: _ = try writer.link(file, from: folder)
        case .copy: _ = try writer.copy(file, from: folder)
        }
      }
    }
    let present = Set(folder.files.map { ExactString($0.path) })
    for file in file.files {
      if file.before != nil, !present.contains(file.name) {
        throw wrongFile(file, "it is not there, but the changes begin with it")
      }
      if let entry = file.after {
        let stream = try self.file.archive.file.open(entry.name)
        try unsafe writer.write(file.components, size: entry.size) {
          unsafe try stream.read(into: $0)
        }
      }
      summary.changes.add(file)
    }
  }

  /// Checks that a file is the one that the changes begin with.
  private func require(
    _ change: ChangedFile, _ file: SupportFolder.File, _ folder: SupportFolder
  ) throws {
    guard let before = change.before else {
      throw wrongFile(change, "it is there, but the changes add it")
    }
    var hasher = ContentHasher()
    _ = try unsafe folder.read(file, begin: {}, { unsafe hasher.update($0) })
    guard hasher.digest == before.digest else {
      throw wrongFile(change, "its content is not the one that the changes begin with")
    }
  }

  private func wrongFile(_ file: ChangedFile, _ detail: String) -> CofferError {
    CofferError(
      .wrongState, path: store.path, item: file.name.text, detail: detail)
  }

  // MARK: Checks

  /// Checks the references of the result; what was wrong before is not its fault.
  private func checkReferences(_ database: SQLiteDatabase) throws {
    let checks = ReferenceChecks(
      file.documents, place: store.path, options.archiveAccess.temporaryFolder)
    guard checks.tableCount > 0 else { return }
    progress.report(WorkProgress(.references, completed: 0, total: checks.tableCount))
    var found: [Finding: Int] = [:]
    try checks.run(on: database, tableDone: { _ in }, report: { found[$0, default: 0] += 1 })
    if !found.isEmpty {
      try store.use { database in
        try checks.run(
          on: database, tableDone: { _ in },
          report: { finding in
            if let count = found[finding] { found[finding] = count > 1 ? count - 1 : nil }
          })
      }
    }
    progress.report(
      WorkProgress(.references, completed: checks.tableCount, total: checks.tableCount))
    var findings = FindingCollector()
    for (finding, count) in found.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      for _ in 0..<count { findings.add(finding) }
    }
    summary.findings = findings.findings
    summary.errorCount = findings.count(of: .error)
    guard options.isStrict, summary.errorCount > 0 else { return }
    throw CofferError(
      .strictFindings, path: store.path,
      detail: "the result would have \(summary.errorCount) new errors", advice: .acceptFindings,
      evidence: summary.findings)
  }
}
