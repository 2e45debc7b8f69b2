package import CofferCore
package import CoreDataDesign
internal import CoreDataModel
package import CoreDataStore

/// One import of tables, from the first record to the finished store.
package final class SheetImportRun {
  private let builder: StoreBuilder
  private let paths: StorePaths
  private let place: String
  private let options: SheetImportOptions
  private let progress: any ProgressReporter
  private let filling: SheetFilling
  private var construction: StoreConstruction?

  /// Creates a store from tables; a failed run leaves no store.
  ///
  /// - Parameters:
  ///   - founding: the design of the store.
  ///   - store: the path of the store.
  ///   - folder: the folder from which paths in tables lead.
  ///   - options: the options.
  ///   - progress: receives the progress.
  ///   - files: the tables; the closure may put files into the working folder.
  /// - Returns: the summary of the import.
  /// - Throws: `CofferError` with `invalid-table` that names the place of the error in the tables;
  ///   with other codes if they cannot be read or the store cannot be written; `CancellationError`;
  ///   errors from the closure.
  package static func complete(
    _ founding: StoreCreator.Founding, at store: String, folder: String,
    _ options: SheetImportOptions, progress: any ProgressReporter,
    files: (StorePlacement) throws -> [SheetFile]
  ) throws -> SheetImportSummary {
    let placement = try StorePlacement(path: store, isReplacing: options.overwriting)
    defer { placement.abandon() }
    let content = try write(
      founding.builder, to: placement.working, place: placement.target.store, folder: folder,
      options,
      progress: progress, files: files(placement))
    try Task<Never, Never>.checkCancellation()
    progress.report(WorkProgress(.writing))
    try placement.commit()
    return SheetImportSummary(
      tables: content.tables, externalFileCount: content.externalFileCount,
      store: founding.summary, findings: content.findings)
  }

  /// The content written to a store.
  package struct Content {
    /// The tables in the order in which they were read.
    package var tables: [SheetImportSummary.Table]
    /// The number of pairs of relationships that are to-many on both sides.
    package var pairCount: Int
    /// The number of external files.
    package var externalFileCount: Int
    /// The warnings of a verification.
    package var findings: [Finding]
  }

  /// Writes a store from tables, without moving it anywhere.
  ///
  /// - Parameters:
  ///   - builder: writes what the store has besides objects.
  ///   - paths: the place of the store, which must be empty.
  ///   - place: the path that errors name.
  ///   - folder: the folder from which paths in tables lead.
  ///   - options: the options.
  ///   - settings: the settings of the store.
  ///   - progress: receives the progress.
  ///   - files: the tables.
  /// - Returns: what was written.
  /// - Throws: as ``complete(_:at:folder:_:progress:files:)``.
  package static func write(
    _ builder: StoreBuilder, to paths: StorePaths, place: String, folder: String,
    _ options: SheetImportOptions, settings: StoreSettings = StoreSettings(),
    progress: any ProgressReporter, files: [SheetFile]
  ) throws -> Content {
    let run = try SheetImportRun(
      files, builder, paths, place: place, folder: folder, options, progress: progress)
    defer { run.construction?.abandon() }
    return try run.write(settings)
  }

  private init(
    _ files: [SheetFile], _ builder: StoreBuilder, _ paths: StorePaths, place: String,
    folder: String, _ options: SheetImportOptions, progress: any ProgressReporter
  ) throws(CofferError) {
    self.builder = builder
    self.paths = paths
    self.place = place
    self.options = options
    self.progress = progress
    filling = SheetFilling(
      files, folder: folder, try builder.design.layout(place: place), options.tables,
      progress: progress)
  }

  private func write(_ settings: StoreSettings) throws -> Content {
    let construction = try StoreConstruction(at: paths.store, settings: settings, place: place)
    self.construction = construction
    try builder.createTables(in: construction)
    let files = SupportFolderWriter(of: paths)
    try construction.use { try filling.fill($0, files: files) }
    try builder.writeAdministration(in: construction)
    let pairCount = try construction.use { database in
      try raiseCounters(database)
      return try filling.layout.joinTables.reduce(0) { count, table in
        let rows = try database.value("SELECT count(*) FROM \(quotedIdentifier(table.tableName))")
        return count + Int(rows?.integer ?? 0)
      }
    }
    let total = builder.design.indexes.count
    try builder.createIndexes(in: construction) { number in
      progress.report(WorkProgress(.indexes, completed: number, total: total))
    }
    try builder.createTriggers(in: construction)
    try Task<Never, Never>.checkCancellation()
    try construction.finish()
    self.construction = nil
    try filling.computeDerivedValues(of: paths.store)
    let findings = try filling.verify(
      paths.store, Self.checks,
      temporaryFolder: options.environment.temporaryFolder, progress: progress)
    return Content(
      tables: filling.read.map(summary), pairCount: pairCount,
      externalFileCount: filling.externalFileCount, findings: findings)
  }

  private func summary(_ table: SheetFilling.ReadSheet) -> SheetImportSummary.Table {
    let name = StorePaths.name(of: table.file.place)
    return switch table.file.subject {
    case .objects(let entity):
      SheetImportSummary.Table(name: name, entityName: entity, count: table.count)
    case .pairs(let entity, let relationship):
      SheetImportSummary.Table(
        name: name, entityName: entity, relationshipName: relationship, count: table.count)
    }
  }

  private func raiseCounters(_ database: SQLiteDatabase) throws {
    let counters = PrimaryKeyCounters(database)
    let layout = filling.layout
    for table in layout.entityTables {
      guard let number = layout.numbering.number(of: table.rootEntityName) else { continue }
      _ = try counters.raise(
        entity: number, table: table.tableName, primaryKey: StoredName.primaryKey)
    }
  }

  /// The checks that tables can fail; all others hold as for an empty store.
  private static let checks: Set<CheckName> = [
    .entities, .references, .pairs, .inverses, .order, .required, .cardinality, .uniqueness,
    .values,
    .validation, .externalData, .derived, .spatialIndex,
  ]
}
