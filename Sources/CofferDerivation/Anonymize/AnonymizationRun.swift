internal import CofferCore
internal import CoreDataDesign
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// Writes a share to the hidden place of a new store.
final class AnonymizationRun {
  private let store: PersistentStore
  private let options: AnonymizationOptions
  /// The path of the source, for errors.
  private let path: String
  private let isWide: Bool
  private let rules: AnonymizationRules
  private let progress: any ProgressReporter
  private var summary = AnonymizationSummary()

  /// The metadata key that marks a store as a share.
  static let noticeKey = "CofferShare"

  init(
    _ store: PersistentStore, _ options: AnonymizationOptions, path: String, isWide: Bool,
    progress: any ProgressReporter
  ) throws {
    self.store = store
    self.options = options
    self.path = path
    self.isWide = isWide
    self.progress = progress
    rules = try AnonymizationRules(options, store.model, path: path)
  }

  /// Writes everything.
  func write(
    to paths: StorePaths, place: String, _ explained: ((AnonymizedObject) throws -> Void)?
  ) throws -> AnonymizationSummary {
    let construction = try StoreConstruction(
      at: paths.store, settings: store.settings, place: place)
    defer { construction.abandon() }
    try fill(construction, SupportFolderWriter(of: paths), explained)
    try construction.finish()
    try compute(paths, place)
    return summary
  }

  private func fill(
    _ construction: StoreConstruction, _ files: SupportFolderWriter,
    _ explained: ((AnonymizedObject) throws -> Void)?
  ) throws {
    let subset = try StoreSubset(of: store, in: construction)
    try construction.use { database in
      let closure = try subset.closure(in: database)
      defer { closure.end() }
      let selection = AnonymizedSelection(
        options: options, store: store, path: path, isWide: isWide)
      try selection.chooseFindings(closure)
      try store.use { sourceDatabase in
        let source = StoreRowSource(store, sourceDatabase, blobLimit: .max)
        // SQLite chooses the objects and looks them up.
        try source.requireOrder()
        try selection.choose(closure, in: source)
        try closure.complete(try closureRule) { try Task<Never, Never>.checkCancellation() }
        try copy(ChosenRows(source: source, closure: closure), to: database, files)
        try source.requireUnchanged()
      }
      try cut(closure)
      if let explained { try explain(closure, explained) }
      summary.storeUUID = UUID().uuidString
      let hasOwnModel = store.model.source == .modelCache
      try subset.writeAdministration(
        in: database, uuid: summary.storeUUID, notice: notice,
        model: hasOwnModel ? store.model.withoutNotes : nil)
      summary.content.entityCount = store.model.entities.count
    }
    try subset.finishSchema()
  }

  private var notice: PropertyListValue.Entry {
    let values =
      !summary.isReplaced
      ? "its values are the original ones"
      : summary.isAnonymous
        ? "its values are not the original ones" : "most of its values are not the original ones"
    return .init(
      Self.noticeKey,
      .dictionary([
        .init("anonymous", .bool(summary.isAnonymous)),
        .init("what", .string("A part of a store, made by coffer anonymize; \(values).")),
      ]))
  }

  // MARK: Rows

  private func copy(
    _ rows: ChosenRows, to database: SQLiteDatabase, _ files: SupportFolderWriter
  ) throws {
    let values = try ValueReplacement()
    var tables = try rows.tables.map { table in
      let columns = table.shape.fields.map {
        ColumnReplacement(
          $0, of: table.shape.storedName, store.model, rules, isAnonymous: options.isAnonymous)
      }
      for column in columns { try column.requireSuitableRule(path) }
      return (index: table.index, shape: table.shape, columns: columns)
    }
    let total = try rows.closure.count()
    for index in tables.indices { try look(at: &tables[index], rows, values) }
    var count = 0
    for index in tables.indices {
      let table = tables[index]
      let writer = try AnonymizedRowWriter(table.shape, table.columns, values, in: database)
      try rows.forEach(of: table.shape, table: table.index) { row in
        try writer.write(row)
        if count & 0xfff == 0 {
          progress.report(WorkProgress(.objects, completed: count, total: total))
        }
        count += 1
      }
      tables[index].columns = writer.columns
      try suggest(table.shape, writer.columns, database)
    }
    progress.report(WorkProgress(.objects, completed: count, total: total))
    summary.content.objectCount = count
    let folder = try SupportFolder(of: StorePaths(store: rows.source.path))
    try folder.requireComplete()
    let written = try AnonymizedFiles(folder: folder, values: values, target: files).write()
    summary.content.externalFileCount = written.count
    if options.isAnonymous {
      let columns = tables.flatMap(\.columns)
      summary.kept = columns.filter(\.keepsEverything).compactMap(\.attribute)
      summary.staying = columns.filter {
        $0.keepsByDefault || written.structured.contains($0.label)
      }
      .map(\.label)
      let tables = store.catalog.statements.filter { [.table, .virtualTable].contains($0.kind) }
      summary.statements = (tables + SchemaTransfer.additions(of: store))
        .filter { !$0.isInternal && $0.mayHoldValues }.map(\.label)
    }
    summary.isReplaced = options.isAnonymous
    summary.selection.neededCount = try rows.closure.neededCount()
    summary.selection.selectedCount = total - summary.selection.neededCount
    summary.selection.omittedCount = try rows.closure.totalCount() - total
  }

  /// Examines the values of a table before any is replaced.
  private func look(
    at table: inout (index: Int, shape: TableLayout, columns: [ColumnReplacement]),
    _ rows: ChosenRows, _ values: ValueReplacement
  ) throws {
    var columns = table.columns
    let texts = columns.indices.filter { columns[$0].mayHaveTexts }
    let numbers = columns.indices.filter { columns[$0].looks }
    if texts.isEmpty, numbers.isEmpty { return }
    try rows.forEach(of: table.shape, table: table.index) { row in
      for column in texts {
        if let text = columns[column].original(column, of: row.row) { try values.note(text: text) }
      }
      for column in numbers { columns[column].look(column, of: row.row) }
    }
    ColumnNumbers.decide(&columns)
    table.columns = columns
  }

  /// The number of rows examined to decide whether an attribute is an enumeration.
  private static let examined = 20_000
  /// The largest number of different values of an enumeration, and the minimum number of times that
  /// each occurs.
  private static let (maxCases, minRepetitions) = (12, 5)

  /// Finds attributes with few different values: replacements differ where the values did.
  private func suggest(
    _ shape: TableLayout, _ columns: [ColumnReplacement], _ database: SQLiteDatabase
  ) throws(CofferError) {
    let table = quotedIdentifier(shape.storedName)
    for (index, column) in columns.enumerated() where column.isReplacedByDefault {
      guard let attribute = column.attribute else { continue }
      let name = quotedIdentifier(shape.fields[index].storedName)
      let row = try database.rows(
        "SELECT count(v), count(DISTINCT v) FROM (SELECT \(name) AS v FROM main.\(table) "
          + "WHERE \(name) IS NOT NULL LIMIT \(Self.examined))"
      ).first
      let count = Int(clamping: row?[0].integer ?? 0)
      let different = Int(clamping: row?[1].integer ?? 0)
      guard different > 0, different <= Self.maxCases,
        count >= different * Self.minRepetitions
      else { continue }
      summary.enumerations.append((attribute, different))
    }
  }

  // MARK: Relationships

  private func cut(_ closure: ObjectClosure) throws {
    var cuts: [PropertyReference: Int] = [:]
    for reference in closure.schema.references {
      let column = closure.schema.tables[reference.table].columns[reference.column]
      let unset = try closure.unset(reference)
      if case .toOne(let name, let entity) = column.role {
        cuts[PropertyReference(entity: entity, property: name), default: 0] += unset
      }
      if let inverse = reference.inverse {
        let name = PropertyReference(entity: inverse.entity, property: inverse.relationship.name)
        cuts[name, default: 0] += try closure.lostCount(reference)
      }
      summary.content.relationshipCount += try closure.destinationCount(reference)
    }
    for pairs in closure.schema.pairs {
      for lost in try closure.lostCounts(pairs) { cuts[lost.property, default: 0] += lost.count }
      summary.content.relationshipCount += try closure.copy(
        pairs, onlyKeys: options.isAnonymous)
    }
    cuts = cuts.filter { $0.value > 0 }
    summary.selection.unsetCount = cuts.values.reduce(0, +)
    summary.cuts = cuts.map {
      AnonymizationCut(
        entityName: $0.key.entity, relationshipName: $0.key.property, count: $0.value)
    }
    .sorted {
      ($0.entityName, $0.relationshipName) < ($1.entityName, $1.relationshipName)
    }
  }

  private func explain(
    _ closure: ObjectClosure, _ explained: (AnonymizedObject) throws -> Void
  ) throws {
    func id(_ object: StoredObject) throws -> ManagedObjectID {
      ManagedObjectID(entityName: try closure.entityName(of: object), primaryKey: object.key)
    }
    try closure.forEachReason { reason in
      try explained(
        AnonymizedObject(
          id: id(reason.object),
          relationship: reason.way.map { "\($0.property.entity).\($0.property.property)" },
          from: try reason.way.map { try id($0.from) }))
    }
  }

  private var closureRule: ClosureRule {
    get throws(CofferError) {
      let extent: ClosureRule.Extent =
        switch options.closure {
        case .required: .required
        case .toOne: .toOne
        case .all: .all
        }
      return ClosureRule(
        extent, followed: try properties(options.followed),
        stopped: try properties(options.stopped), limit: options.limit)
    }
  }

  private func properties(_ names: [Name]) throws(CofferError) -> Set<PropertyReference> {
    var properties: Set<PropertyReference> = []
    for name in names {
      let parts = name.text.split(separator: ".", maxSplits: 1).map { Name(String($0)) }
      guard parts.count == 2, let found = store.model.relationship(parts[1], of: parts[0]) else {
        throw CofferError(
          .noSuchProperty, path: path, item: name.text,
          detail: "no such relationship; one is named Entity.relationship")
      }
      properties.insert(PropertyReference(entity: found.declaredBy, property: parts[1]))
    }
    return properties
  }

  // MARK: What depends on the rest

  private func compute(_ paths: StorePaths, _ place: String) throws {
    // A finding about them would go.
    let keeps = options.findings.contains { $0.check == .derived }
    try StoreEditor.change(unused: paths.store) { database, fresh in
      try ObjectEditor(database, of: fresh).computeAll(keepsDerivedValues: keeps)
    }
    var verification = VerificationOptions()
    verification.environment = .inPlace
    verification.environment.temporaryFolder = options.environment.temporaryFolder
    let counts = FindingCounts()
    try Verifier(options: verification).verify(paths.store) {
      counts.byCode[$0.code, default: 0] += $0.multiplicity
    }
    // The data was sound when written, so the disk does not return it correctly.
    if counts.byCode[.sqliteDamage] != nil || counts.byCode[.unreadableTable] != nil {
      throw CofferError(
        .readFailed, path: place, detail: "the written data is damaged when read back",
        advice: "The disk or its connection may be failing. Check it, then try again.")
    }
    summary.findings = counts.byCode
  }

  /// Counts that an escaping closure updates.
  private final class FindingCounts {
    var byCode: [FindingCode: Int] = [:]
  }
}
