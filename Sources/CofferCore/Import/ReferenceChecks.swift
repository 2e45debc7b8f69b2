internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
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
  ///   - readers: other connections that read the same rows, on threads of their own; none to read them here.
  ///   - tableDone: called after each table with the number of tables read.
  ///   - report: called for each finding, in the order of a verification.
  /// - Throws: `CofferError` if a table cannot be read or temporary data cannot be stored;
  ///   `CancellationError`.
  func run(
    on database: SQLiteDatabase, _ readers: [SQLiteConnection], tableDone: (Int) -> Void,
    report: (Finding) -> Void
  ) throws {
    try withoutActuallyEscaping(report) { report in
      let filter = FindingFilter(options) { finding in
        if Self.names.contains(finding.code.check) { report(finding) }
      }
      let subject = VerificationSubject(
        place: place, model: documents.model, modelProblem: nil, givenModel: nil, layout: layout,
        schema: documents.schema, store: nil)
      let run = VerificationRun(
        of: subject, options: options, filter: filter, audience: .nobody,
        progress: SilentProgress(), rows: RowProgress(SilentProgress(), objectTotal: nil))
      defer { run.context.releaseChecks() }
      try run.prepare()
      let catalog = try SchemaCatalog(database)
      let sources = run.context.tables.map {
        TableSource(shape: $0.shape, plan: Self.plan($0, catalog))
      }
      let reader = StoreRowReader(readers, sources, isSound: { true }) { source in
        try? database.numberBounds(of: source.plan)
      }
      for (number, table) in run.context.tables.enumerated() {
        try Task<Never, Never>.checkCancellation()
        let verification = try run.begin(table)
        if let reader {
          try reader.read(table: number) { rows in
            try rows.forEach(verification.cells, verification.takeRow)
          }
        } else {
          let rows = try StoreRows(sources[number], into: verification.cells, database: database)
          while try rows.next() { try verification.takeRow() }
        }
        try run.end(verification)
        tableDone(number + 1)
      }
      run.rowsDone()
      _ = try run.finish(.store)
    }
  }

  /// A table reduced to its keys and references.
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
    var columns = table.primaryKeyColumn.map { [$0] } ?? []
    if let schema, columns.isEmpty { columns = StoreTables.primaryKey(of: schema, fields) }
    var key = RowPlan.Key.columns(columns)
    if let schema, columns.isEmpty, !schema.isWithoutRowID { key = .hiddenRowNumber }
    // Only numbers divide a table.
    if let column = table.primaryKeyColumn, let alias = schema?.rowIDAlias,
      SchemaName(alias) == SchemaName(fields[column].storedName)
    {
      key = .integerColumn(column)
    }
    return RowPlan(
      table: table.shape.storedName, columns: fields.map { ($0.storedName, false) }, key: key,
      blobLimit: .max)
  }
}
