internal import CoreDataModel
internal import CoreDataStore

/// One import of tables, from the first record to the finished store.
final class TableImportRun {
  private let files: [TableFile]
  private let founding: StoreCreator.Founding
  private let placement: StorePlacement
  private let options: TableImportOptions
  private let progress: any ProgressReporter
  private let rows: RowProgress
  private let folder: String
  private let layout: StoreLayout
  private var construction: StoreConstruction?
  /// What was read of each file.
  private var read: [ReadTable] = []
  private var externalFileCount = 0
  /// The columns of the store that tables have, by table of objects.
  private var givenColumns: [Set<Int>] = []

  /// A table that was read.
  private struct ReadTable {
    var file: TableFile
    var count: Int
    /// The highest key that its objects' table had before.
    var keyBefore: Int64
  }

  /// Makes a store of tables, of which nothing remains if it cannot be completed.
  ///
  /// - Parameters:
  ///   - founding: the design of the store.
  ///   - store: the path of the store.
  ///   - folder: the folder from which paths in tables lead.
  ///   - options: the options.
  ///   - progress: receives the progress.
  ///   - files: the tables; the closure may put files into the working folder.
  /// - Returns: what was imported.
  /// - Throws: `CofferError` with `invalid-table` that names the place of what is wrong in the tables;
  ///   with other codes if they cannot be read or the store cannot be written; `CancellationError`;
  ///   errors from the closure.
  static func complete(
    _ founding: StoreCreator.Founding, at store: String, folder: String,
    _ options: TableImportOptions, progress: any ProgressReporter,
    files: (StorePlacement) throws -> [TableFile]
  ) throws -> TableImportSummary {
    let placement = try StorePlacement(path: store, isReplacing: options.overwriting)
    var run: TableImportRun?
    do {
      let new = try TableImportRun(
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
    _ files: [TableFile], _ founding: StoreCreator.Founding, _ placement: StorePlacement,
    folder: String, _ options: TableImportOptions, progress: any ProgressReporter
  ) throws(CofferError) {
    self.files = files
    self.founding = founding
    self.placement = placement
    self.folder = folder
    self.options = options
    self.progress = progress
    rows = RowProgress(progress, objectTotal: nil)
    let design = founding.builder.design
    let catalog = try SchemaCatalog(ofTablesIn: design.tables, place: placement.target.store)
    layout = StoreLayout(model: design.model, registry: design.registry, catalog: catalog)
  }

  /// Builds the store and moves it to its place.
  private func complete() throws -> TableImportSummary {
    let builder = founding.builder
    let construction = try StoreConstruction(
      at: placement.working.store, settings: StoreSettings(), place: placement.target.store)
    self.construction = construction
    try builder.createTables(in: construction)
    try construction.use { try fill($0) }
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
    try computeDerivedValues()
    let findings = try verify()
    try Task<Never, Never>.checkCancellation()
    progress.report(WorkProgress(.writing))
    try placement.commit()
    return TableImportSummary(
      tables: read.map(summary), externalFileCount: externalFileCount, store: founding.summary,
      findings: findings)
  }

  private func summary(_ table: ReadTable) -> TableImportSummary.Table {
    let name = StorePaths.name(of: table.file.place)
    return switch table.file.subject {
    case .objects(let entity):
      TableImportSummary.Table(name: name, entityName: entity, count: table.count)
    case .pairs(let entity, let relationship):
      TableImportSummary.Table(
        name: name, entityName: entity, relationshipName: relationship, count: table.count)
    }
  }

  /// Computes the derived attributes that tables do not have.
  private func computeDerivedValues() throws {
    guard layout.model.entities.contains(where: { $0.attributes.contains(where: \.isDerived) })
    else {
      return
    }
    try StoreEditor.change(unused: placement.working.store) { database, store in
      let objects = try ObjectEditor(database, of: store)
      let tables = store.layout.entityTables
      try objects.computeMissingValues { index, column in
        let name = tables[index].tableName
        let own = layout.entityTables.firstIndex { $0.tableName.hasSameBytes(as: name) }
        return own.map { !givenColumns[$0].contains(column) } ?? false
      }
    }
  }

  private func raiseCounters(_ database: SQLiteDatabase) throws {
    let counters = PrimaryKeyCounters(database)
    for table in layout.entityTables {
      guard let number = layout.numbering.number(of: table.rootEntityName) else { continue }
      _ = try counters.raise(
        entity: number, table: table.tableName, primaryKey: StoredName.primaryKey)
    }
  }

  // MARK: Rows

  private func fill(_ database: SQLiteDatabase) throws {
    let external = TableExternalFiles(
      from: folder, to: SupportFolderWriter(of: placement.working))
    let context = try TableContext(database, layout, options, files: external)
    // Objects first: lists and pairs are about them.
    for isOfPairs in [false, true] {
      for file in files where file.subject.isOfPairs == isOfPairs {
        try file.read { try load(file, $0, context) }
      }
    }
    rows.finishPhase()
    externalFileCount = external.count
    givenColumns = context.givenColumns
    if let fault = try TableLinks(context, options, folder: folder).link() {
      throw try located(fault.0, context, fault.1)
    }
  }

  private func load(_ file: TableFile, _ reader: some TableReader, _ context: TableContext) throws {
    func place() -> TablePlace {
      TablePlace(path: file.place, line: "\(reader.unit) \(reader.record.line)")
    }
    var count = 0
    func step() throws {
      count += 1
      guard count & 0xfff == 0 else { return }
      try Task<Never, Never>.checkCancellation()
      rows.report(count, in: file.subject.isOfPairs ? .relationships : .objects)
    }
    let whole = TablePlace(path: file.place)
    switch file.subject {
    case .pairs(let entity, let relationship):
      let pairs = try TablePairs(relationship, of: entity, context, at: whole)
      while try reader.next() {
        try pairs.insert(reader, at: place)
        try step()
      }
      read.append(ReadTable(file: file, count: count, keyBefore: 0))
      rows.end(count, in: .relationships)
    case .objects(let entity):
      let index = context.schema.table(of: entity) ?? 0
      let before = context.highestKeys[index]
      var loader = TableEntities(entity, context, file)
      while try reader.next() {
        try loader.insert(reader, at: place)
        try step()
      }
      read.append(ReadTable(file: file, count: count, keyBefore: before))
      rows.end(count, in: .objects)
    }
  }

  // MARK: Relationships

  private func located(
    _ fault: LinkingFault, _ context: TableContext, _ property: String
  ) throws -> CofferError {
    var place =
      try place(
        ofKey: fault.object.key, table: context.schema.tables[fault.object.table].entityNames)
      ?? TablePlace(path: folder)
    place.column = property.isEmpty ? nil : property
    switch fault.kind {
    case .unknownKey: return place.error("there is no such object", advice: .nameKeys)
    case .ambiguousKey:
      return place.error(
        "an object before has the same value, which must be unique", advice: .chooseDuplicates)
    case .sharedDestination:
      return place.error("another object has the same destination, which can belong to one only")
    case .contradiction: return place.error("the destination leads to another object")
    }
  }

  // MARK: Verification

  /// What tables can get wrong; all else is as for an empty store.
  private static let checks: Set<CheckName> = [
    .entities, .references, .pairs, .inverses, .order, .required, .cardinality, .uniqueness,
    .values,
    .validation, .externalData, .derived, .spatialIndex,
  ]

  /// Verifies the store.
  ///
  /// - Returns: the warnings.
  /// - Throws: `CofferError` with `invalid-table` for the first error.
  private func verify() throws -> [Finding] {
    var verification = VerificationOptions()
    verification.access = .inPlace
    verification.checks = Self.checks
    verification.temporaryFolder = options.archiveAccess.temporaryFolder
    let found = FoundDefects()
    try Verifier(options: verification, progress: progress).verify(placement.working.store) {
      if $0.severity == .error, found.first == nil { found.first = $0 }
      found.collector.add($0)
    }
    guard let first = found.first else {
      return found.collector.findings.filter { $0.severity == .warning }
    }
    var place = TablePlace(path: folder)
    if let object = first.objectID {
      let tree = layout.model.root(of: object.entityName).map { layout.model.tree(of: $0.name) }
      place = try self.place(ofKey: object.primaryKey, table: (tree ?? []).map(\.name)) ?? place
    }
    place.column = first.propertyName
    let detail = first.detail.isEmpty ? "" : " (\(first.detail))"
    throw place.error("\(first.code.meaning)\(detail)")
  }

  private final class FoundDefects {
    var first: Finding?
    var collector = FindingCollector()
  }

  // MARK: Places

  /// The place of the record of an object, for which its tables are read again; nil if none has it.
  private func place(ofKey key: Int64, table entities: [String]) throws -> TablePlace? {
    let keyName = DataExportPlan.keyName(layout.model)
    let names = entities.exactStrings
    for table in read {
      guard case .objects(let entity) = table.file.subject, names.contains(ExactString(entity))
      else { continue }
      if let place = try place(ofKey: key, in: table, keyName) { return place }
    }
    return nil
  }

  private func place(
    ofKey key: Int64, in table: ReadTable, _ keyName: String
  ) throws -> TablePlace? {
    let file = table.file
    let named = options.keyNames.values.contains { $0.hasSameBytes(as: keyName) }
    func search(_ reader: some TableReader) throws -> TablePlace? {
      var highest = table.keyBefore
      while try reader.next() {
        let values = TableValues(buffer: reader.buffer, dateFormat: nil)
        let field = reader.record.fields.first {
          !named && reader.columns[$0.column].hasSameBytes(as: keyName)
        }
        let given = field.flatMap { try? values.key($0.value) }
        let own = given ?? highest &+ 1
        if own == key {
          return TablePlace(path: file.place, line: "\(reader.unit) \(reader.record.line)")
        }
        highest = max(highest, own)
      }
      return nil
    }
    return try file.read { try search($0) }
  }
}

extension TableFile.Subject {
  /// Whether the records are pairs.
  fileprivate var isOfPairs: Bool { if case .pairs = self { true } else { false } }
}
