package import CofferCore
internal import CoreDataModel
package import CoreDataStore

/// One import of tables, from the first record to the finished store.
package final class SheetImportRun {
  private let founding: StoreCreator.Founding
  private let placement: StorePlacement
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
    var run: SheetImportRun?
    do {
      let new = try SheetImportRun(
        files(placement), founding, placement, folder: folder, options, progress: progress)
      run = new
      return try new.complete()
    } catch {
      run?.construction?.abandon()
      placement.abandon()
      throw error
    }
  }

  private init(
    _ files: [SheetFile], _ founding: StoreCreator.Founding, _ placement: StorePlacement,
    folder: String, _ options: SheetImportOptions, progress: any ProgressReporter
  ) throws(CofferError) {
    self.founding = founding
    self.placement = placement
    self.options = options
    self.progress = progress
    let design = founding.builder.design
    let catalog = try SchemaCatalog(ofTablesIn: design.tables, place: placement.target.store)
    filling = SheetFilling(
      files, folder: folder,
      StoreLayout(model: design.model, registry: design.registry, catalog: catalog),
      options.tables, progress: progress)
  }

  /// Builds the store and moves it to its place.
  private func complete() throws -> SheetImportSummary {
    let builder = founding.builder
    let construction = try StoreConstruction(
      at: placement.working.store, settings: StoreSettings(), place: placement.target.store)
    self.construction = construction
    try builder.createTables(in: construction)
    let files = SupportFolderWriter(of: placement.working)
    try construction.use { try filling.fill($0, files: files) }
    try builder.writeAdministration(in: construction)
    try construction.use { try raiseCounters($0) }
    let total = builder.design.indexes.count
    try builder.createIndexes(in: construction) { number in
      progress.report(WorkProgress(.indexes, completed: number, total: total))
    }
    try builder.createTriggers(in: construction)
    try Task<Never, Never>.checkCancellation()
    try construction.finish()
    self.construction = nil
    try filling.computeDerivedValues(of: placement.working.store)
    let findings = try filling.verify(
      placement.working.store, Self.checks,
      temporaryFolder: options.environment.temporaryFolder, progress: progress)
    try Task<Never, Never>.checkCancellation()
    progress.report(WorkProgress(.writing))
    try placement.commit()
    return SheetImportSummary(
      tables: filling.read.map(summary), externalFileCount: filling.externalFileCount,
      store: founding.summary, findings: findings)
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

  /// What tables can get wrong; all else is as for an empty store.
  private static let checks: Set<CheckName> = [
    .entities, .references, .pairs, .inverses, .order, .required, .cardinality, .uniqueness,
    .values,
    .validation, .externalData, .derived, .spatialIndex,
  ]
}
