internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataStore

/// Runs the reference checks of a verification on a store that is being built.
///
/// Reads only keys and references, table by table. The findings are the same as in a verification
/// of the finished store.
struct ReferenceChecks {
  static let names: Set<CheckName> = [.references, .pairs, .inverses]

  private let documents: ArchiveDocuments
  private let place: String
  private let layout: LayoutDocument
  private let options: VerificationOptions

  /// - Parameters:
  ///   - documents: the documents that describe the tables.
  ///   - place: the archive, for errors.
  ///   - temporaryFolder: the folder for keys and records that do not fit in memory; nil for the
  ///     system's.
  init(_ documents: ArchiveDocuments, place: String, _ temporaryFolder: String?) {
    self.documents = documents
    self.place = place
    layout = LayoutDocument(
      entities: documents.layout.entities,
      tables: documents.layout.tables.filter { [.entity, .relationship].contains($0.kind) }
        .map(Self.reduced).filter { !$0.fields.isEmpty })
    var options = VerificationOptions()
    options.checks = Self.names
    // They run beside the insertion of rows, which needs the memory.
    (options.memory, options.threads) = (1 << 20, 0)
    // An import keeps few of them, and counts all.
    options.environment.limits.findings = .max
    options.environment.temporaryFolder = temporaryFolder
    self.options = options
  }

  /// The number of tables to read.
  var tableCount: Int { layout.tables.count }

  /// Runs the checks.
  ///
  /// - Parameters:
  ///   - database: the store, with all rows but no triggers.
  ///   - tableDone: called after each table with the number of tables read.
  ///   - report: called for each finding, in the order of a verification.
  /// - Throws: `CofferError` if a table cannot be read or temporary data cannot be stored;
  ///   `CancellationError`.
  func run(
    on database: SQLiteDatabase, tableDone: (Int) -> Void, report: (Finding) -> Void
  ) throws {
    try withoutActuallyEscaping(report) { report in
      let run = makeRun(report)
      defer { run.context.releaseChecks() }
      try run.prepare()
      let catalog = try SchemaCatalog(database)
      for (number, table) in run.context.tables.enumerated() {
        try Task<Never, Never>.checkCancellation()
        try read(table, run, catalog, database)
        tableDone(number + 1)
      }
      run.rowsDone()
      _ = try run.finish(.store)
    }
  }

  /// The run of the checks, before its first row.
  func makeRun(_ report: @escaping (Finding) -> Void) -> VerificationRun {
    let filter = FindingFilter(options) { finding in
      if Self.names.contains(finding.code.check) { report(finding) }
    }
    let subject = VerificationSubject(
      place: place, model: documents.model, modelProblem: nil, givenModel: nil, layout: layout,
      schema: documents.schema, store: nil)
    return VerificationRun(
      of: subject, options: options, filter: filter, audience: .nobody,
      progress: SilentProgress(), rows: RowProgress(SilentProgress(), objectTotal: nil))
  }

  private func read(
    _ table: VerifiedTable, _ run: VerificationRun, _ catalog: SchemaCatalog,
    _ database: SQLiteDatabase
  ) throws {
    let verification = try run.begin(table)
    let source = TableSource(shape: table.shape, plan: Self.plan(table, catalog))
    let rows = try StoreRows(source, into: verification.cells, database: database)
    while try rows.next() { try verification.takeRow() }
    try run.end(verification)
  }

  private static func reduced(_ table: TableLayout) -> TableLayout {
    var table = table
    table.fields = table.fields.filter { field in
      switch field.role {
      case .primaryKey, .entityNumber, .toOne, .toOneEntity, .owner, .source, .destination: true
      default: false
      }
    }
    return table
  }

  /// The plan for reading a table, in the same order as an export.
  private static func plan(_ table: VerifiedTable, _ catalog: SchemaCatalog) -> RowPlan {
    let fields = table.shape.fields
    let schema = catalog.table(table.shape.storedName)
    var key = table.primaryKeyColumn.map { [$0] } ?? []
    if let schema, key.isEmpty { key = StoreTables.primaryKey(of: schema, fields) }
    let hasRowNumber = schema.map { !$0.isWithoutRowID } ?? false
    return RowPlan(
      table: table.shape.storedName, columns: fields.map { ($0.storedName, false) },
      key: key.isEmpty && hasRowNumber ? .hiddenRowNumber : .columns(key), blobLimit: .max)
  }
}
