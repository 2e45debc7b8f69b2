internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore
internal import POSIX

/// Verifies a store.
///
/// Every table is read once, in the order of an export: on another thread where that pays, so that the
/// findings are the same.
struct StoreVerification {
  /// Larger blobs are not read with their row because no check needs more than a file name.
  static let blobLimit = 64 << 10

  private let store: PersistentStore
  private let run: VerificationRun
  private let tables: StoreTables
  private let progress: any ProgressReporter
  /// The rows of objects and pairs to verify; nil for all.
  private let touched: ChangedRows?

  init(
    _ store: PersistentStore, options: VerificationOptions, filter: FindingFilter,
    audience: VerificationAudience, progress: any ProgressReporter, touched: ChangedRows? = nil
  ) {
    self.store = store
    self.touched = touched
    self.progress = progress
    tables = StoreTables(store, blobLimit: Self.blobLimit)
    let subject = VerificationSubject(
      place: store.path, model: store.model, modelProblem: store.modelProblem,
      givenModel: options.environment.model?.model,
      layout: LayoutDocument(entities: tables.entities, tables: tables.sources.map(\.shape)),
      schema: SchemaDocument(store), store: store)
    let rows = RowProgress(progress, objectTotal: store.estimatedObjectCount)
    run = VerificationRun(
      of: subject, options: options, filter: filter, audience: audience, progress: progress,
      rows: rows)
  }

  /// Runs the verification.
  func complete() throws -> VerificationSummary {
    defer { run.context.releaseChecks() }
    do {
      try run.prepare()
      try readRows()
    } catch {
      // The findings so far remain valid.
      if !(error is CancellationError) { try run.context.releaseFindings() }
      throw error
    }
    run.rowsDone()
    if run.context.beforeFindings != nil { progress.report(WorkProgress(.pages)) }
    try run.context.releaseFindings()
    let paths = StorePaths(store: store.path)
    let folder = try SupportFolder(of: paths)
    try store.requireInPlace()
    run.context.supportFiles = folder.files
    run.context.unreadableFiles = folder.files
      .filter { !FileIO.mayRead(paths.path(of: $0.components)) }.map(\.path)
    run.context.irregularFiles = folder.irregular
    run.context.unknownCompanions = folder.strays
    run.context.findRow = RowFinder(store).find
    return try run.finish(.store)
  }

  private func readRows() throws {
    let context = run.context
    if let touched { return try readRows(touched) }
    if let reader = StoreRowReader(
      store, tables.sources, context.options, isSound: context.pagesAreSound)
    {
      for table in run.context.tables {
        try verify(table) { verification in
          try reader.read(table: table.index) { rows in
            try rows.forEach(verification.cells) { try takeRow(verification) }
          }
        }
      }
      return try store.use { run.context.administration = try SystemTables(store, $0) }
    }
    try store.use { database in
      let source = StoreRowSource(store, database, tables, checksOrder: false)
      for table in run.context.tables {
        try verify(table) { verification in
          let rows = try source.rows(of: table.shape, into: verification.cells)
          while try rows.next() { try takeRow(verification) }
        }
      }
      run.context.administration = try SystemTables(store, database)
    }
  }

  /// Reads some rows, and all of the history.
  private func readRows(_ touched: ChangedRows) throws {
    let context = run.context
    try store.use { database in
      let all = StoreRowSource(store, database, tables, checksOrder: false)
      let some = try all.limited(to: touched)
      for table in context.tables where table.isPartial {
        guard let keys = context.keys(of: table), let column = table.primaryKeyColumn else {
          continue
        }
        keys.rest = try StoredKeys(table, keyColumn: column, in: store, context.entities)
      }
      for table in context.tables {
        try verify(table) { verification in
          let rows = try (table.isPartial ? some : all).rows(
            of: table.shape, into: verification.cells)
          while try rows.next() { try takeRow(verification) }
        }
      }
      context.administration = try SystemTables(store, database)
    }
  }

  private func verify(_ table: VerifiedTable, _ read: (TableVerification) throws -> Void) throws {
    let verification = try run.begin(table)
    do {
      try read(verification)
    } catch let error as CofferError where error.code == .damagedStore && touched == nil {
      // The other tables are still worth verifying.
      try run.context.reportUnreadable(table, after: verification.rowCount)
    }
    try run.end(verification)
  }

  private func takeRow(_ verification: TableVerification) throws {
    try verification.takeRow()
    if verification.rowCount & 0xfff == 0 { run.report(verification) }
  }
}

/// Looks for single rows in tables with unreadable pages.
private final class RowFinder {
  private let store: PersistentStore
  private var lookups: [Int: KeyLookup] = [:]

  init(_ store: PersistentStore) { self.store = store }

  /// Whether a table has a row with a key; nil if a page on the way to it cannot be read.
  func find(_ table: VerifiedTable, _ key: Int64) throws -> Bool? {
    do {
      return try store.use { database in
        let lookup = try lookups[table.index] ?? KeyLookup(table.shape.storedName, in: database)
        lookups[table.index] = lookup
        return try lookup.contains(key)
      }
    } catch let error as CofferError where error.code == .damagedStore {
      return nil
    }
  }
}

/// The keys of a table, looked up in the store.
final class StoredKeys: KeySource {
  let maximum: Int64?
  private let lookup: PreparedStatement
  private let store: PersistentStore
  private let entities: EntityIndices

  /// Prepares to look into a table; to be released before the store is closed.
  init(
    _ table: VerifiedTable, keyColumn: Int, in store: PersistentStore, _ entities: EntityIndices
  ) throws(CofferError) {
    self.store = store
    self.entities = entities
    let name = quotedIdentifier(table.shape.storedName)
    let columns = [keyColumn, table.entityColumn, table.versionColumn].map { column in
      column.map { quotedIdentifier(table.shape.fields[$0].storedName) } ?? "NULL"
    }
    maximum = try store.use { database throws(CofferError) in
      try database.value("SELECT max(\(columns[0])) FROM \(name)")?.integer
    }
    lookup = try store.use { database throws(CofferError) in
      PreparedStatement(
        try database.prepare(
          "SELECT \(columns[1]), \(columns[2]) FROM \(name) NOT INDEXED WHERE \(columns[0]) = ?1"))
    }
  }

  func find(_ key: Int64) throws(CofferError) -> KeyDirectory.Entry? {
    try store.use { _ throws(CofferError) in
      defer { lookup.statement.reset() }
      lookup.statement.bind(key, at: 1)
      guard try lookup.statement.step() else { return nil }
      return KeyDirectory.Entry(
        entity: lookup.statement.integer(0).map(entities.index(of:)) ?? EntityIndices.unknown,
        version: UInt32(clamping: lookup.statement.integer(1) ?? 0))
    }
  }
}
