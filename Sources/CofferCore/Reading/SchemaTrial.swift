internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Creates the parts of a schema, without any rows, to test whether an import could.
struct SchemaTrial {
  /// The empty store without a name: SQLite keeps it in memory, and in a temporary file once
  /// it gets large.
  let construction: StoreConstruction

  /// Creates all tables, indexes, triggers and views; nil for a schema that imports refuse, whose
  /// statements are not run.
  ///
  /// - Throws: `CofferError` with the code `damaged-archive` if SQLite does not accept a statement,
  ///   or if the layout names something that the schema does not create.
  init?(_ documents: ArchiveDocuments, archive: String) throws(CofferError) {
    let statements = try documents.schema.createdStatements(archive)
    let policy = SchemaPolicy(statements)
    try documents.schema.settings(archive).validate()
    guard statements.allSatisfy({ policy.objection(to: $0) == nil }) else { return nil }
    // Small pages: an empty table takes a whole one.
    let settings = StoreSettings(
      pageSize: 512, autoVacuum: 0, encoding: "UTF-8", userVersion: 0, applicationID: 0,
      journalMode: .delete)
    construction = try StoreConstruction(at: "", settings: settings, place: archive)
    do throws(CofferError) {
      try construction.create(statements.filter { $0.kind == .table })
      let catalog = try construction.use { database throws(CofferError) in
        try SchemaCatalog(database)
      }
      try LayoutCheck.check(documents.layout, in: catalog, archive: archive)
      try construction.create(statements.filter { $0.kind == .index })
      try construction.create(
        statements.filter { [.virtualTable, .view, .trigger].contains($0.kind) })
    } catch {
      construction.abandon()
      throw error.blamingSchema(of: archive)
    }
  }
}

extension SchemaDocument {
  /// The settings of the database, as they are written: SQLite may not know them.
  ///
  /// - Throws: `CofferError` with the code `damaged-archive` for an unknown journal mode.
  func settings(_ archive: String) throws(CofferError) -> StoreSettings {
    guard let mode = StoreSettings.JournalMode(rawValue: journalMode) else {
      throw CofferError(
        .damagedArchive, path: archive, entry: ArchiveEntryName.schema,
        detail: "an unknown journal mode")
    }
    return StoreSettings(
      pageSize: pageSize, autoVacuum: autoVacuum, encoding: encoding, userVersion: userVersion,
      applicationID: applicationID, journalMode: mode)
  }

  /// The statements; throws `damaged-archive` for an unknown kind of statement.
  func createdStatements(_ archive: String) throws(CofferError) -> [SchemaStatement] {
    var created: [SchemaStatement] = []
    for statement in statements {
      guard let statement = SchemaStatement(statement) else {
        throw CofferError(
          .damagedArchive, path: archive, entry: ArchiveEntryName.schema,
          detail: "an unknown kind of statement")
      }
      created.append(statement)
    }
    return created
  }
}

extension CofferError {
  /// The error about a schema with a statement that SQLite rejects; any other error unchanged.
  func blamingSchema(of archive: String) -> CofferError {
    blaming(archive, entry: ArchiveEntryName.schema, "a statement of the schema cannot be run")
  }
}
