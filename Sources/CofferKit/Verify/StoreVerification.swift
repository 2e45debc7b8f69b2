internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Verifies a store: every table is read once, in the order in which an export reads them.
struct StoreVerification {
  /// Blobs of more bytes are not read with their row: no check asks for more than a file's name.
  private static let blobLimit = 64 << 10

  private let store: PersistentStore
  private let run: VerificationRun
  private let tables: StoreTables
  private let progress: any ProgressReporter

  init(
    _ store: PersistentStore, options: VerificationOptions, filter: FindingFilter,
    audience: VerificationAudience, progress: any ProgressReporter
  ) {
    self.store = store
    self.progress = progress
    tables = StoreTables(store, blobLimit: Self.blobLimit)
    let subject = VerificationSubject(
      place: store.path, model: store.model, modelProblem: store.modelProblem,
      givenModel: options.model,
      layout: LayoutDocument(entities: tables.entities, tables: tables.sources.map(\.shape)),
      schema: SchemaDocument(store), store: store)
    let rows = RowProgress(progress, objectTotal: store.estimatedObjectCount)
    run = VerificationRun(
      of: subject, options: options, filter: filter, audience: audience, progress: progress,
      rows: rows)
  }

  /// Does all of it.
  ///
  /// - Throws: `CofferError` when the store cannot be read on, ``CofferError``, what the
  ///   receiver of the findings throws, `CancellationError`.
  func complete() throws -> VerificationSummary {
    defer { run.context.releaseChecks() }
    do {
      try run.prepare()
      try readRows()
    } catch {
      // What was found up to here is known all the same.
      if !(error is CancellationError) { try run.context.releaseFindings() }
      throw error
    }
    run.rowsDone()
    if run.context.beforeFindings != nil { progress.report(WorkProgress(.pages)) }
    try run.context.releaseFindings()
    let folder = try SupportFolder(of: StorePaths(store: store.path))
    try store.requireInPlace()
    run.context.supportFiles = folder.files
    run.context.irregularFiles = folder.irregular
    return try run.finish(.store)
  }

  private func readRows() throws {
    try store.use { database in
      let source = StoreRowSource(store, database, tables)
      for table in run.context.tables { try verify(table, source) }
      run.context.administration = try SystemTables(store, database)
    }
  }

  private func verify(_ table: VerifiedTable, _ source: StoreRowSource) throws {
    let verification = try run.begin(table)
    do {
      let rows = try source.rows(of: table.shape, into: verification.cells)
      while try rows.next() {
        try verification.takeRow()
        if verification.rowCount & 0xfff == 0 { run.report(verification) }
      }
    } catch let error as CofferError where error.code == .damagedStore {
      // What the other tables hold is worth knowing all the same.
      try run.context.report(
        Finding(
          .unreadableTable, entityName: table.shape.entityName,
          detail: "after \(verification.rowCount) rows"))
    }
    try run.end(verification)
  }
}
