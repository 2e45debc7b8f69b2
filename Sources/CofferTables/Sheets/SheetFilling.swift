package import CofferCore
internal import CoreDataModel
package import CoreDataStore

/// Fills the tables of a store under construction with the records of tables.
///
/// It finds the record of an object afterwards: a row keeps no line number, so its tables are read again.
package final class SheetFilling {
  /// The meaning of the tables of the store.
  let layout: StoreLayout
  /// How tables are read.
  let options: SheetOptions
  /// The folder of relative paths in tables.
  let folder: String
  /// The records read from each file.
  private(set) var read: [ReadSheet] = []
  private(set) var externalFileCount = 0
  private let files: [SheetFile]
  private let rows: RowProgress
  /// The columns of the store that tables have, by table of objects.
  private var givenColumns: [Set<Int>] = []

  struct ReadSheet {
    var file: SheetFile
    /// The number of records.
    var count: Int
    /// The highest key that its objects' table had before.
    var keyBefore: Int64
  }

  /// Prepares to read tables.
  package init(
    _ files: [SheetFile], folder: String, _ layout: StoreLayout, _ options: SheetOptions,
    progress: any ProgressReporter
  ) {
    self.files = files
    self.folder = folder
    self.layout = layout
    self.options = options
    rows = RowProgress(progress, objectTotal: nil)
  }

  // MARK: Rows

  /// Reads all tables.
  ///
  /// - Parameters:
  ///   - database: the store under construction, which has its tables and no objects.
  ///   - writer: writes its external files.
  ///   - target: the store into which the tables are merged; nil for a new store.
  /// - Throws: `CofferError` with `invalid-table` that names the place of the error in the tables;
  ///   with other codes if they cannot be read or the store cannot be written; `CancellationError`.
  package func fill(
    _ database: SQLiteDatabase, files writer: SupportFolderWriter, for target: SheetTarget? = nil
  ) throws {
    let external = SheetExternalFiles(from: folder, to: writer)
    let context = try SheetContext(database, layout, options, files: external, for: target)
    // Objects first: lists and pairs are about them.
    for isOfPairs in [false, true] {
      for file in files where file.subject.isOfPairs == isOfPairs {
        try file.read { try load(file, $0, context) }
      }
    }
    rows.finishPhase()
    externalFileCount = external.count
    givenColumns = context.givenColumns
    if let fault = try SheetLinks(context: context, options: options, folder: folder).link() {
      throw try located(fault.0, context, fault.1)
    }
  }

  private func load(_ file: SheetFile, _ reader: some SheetReader, _ context: SheetContext) throws {
    func place() -> SheetPlace {
      SheetPlace(path: file.place, line: reader.label)
    }
    var count = 0
    func step() throws {
      count += 1
      guard count & 0xfff == 0 else { return }
      try Task<Never, Never>.checkCancellation()
      rows.report(count, in: file.subject.isOfPairs ? .relationships : .objects)
    }
    let whole = SheetPlace(path: file.place)
    switch file.subject {
    case .pairs(let entity, let relationship):
      let pairs = try SheetPairs(relationship, of: entity, context, at: whole)
      while try reader.next() {
        try pairs.insert(reader, at: place)
        try step()
      }
      read.append(ReadSheet(file: file, count: count, keyBefore: 0))
      rows.end(count, in: .relationships)
    case .objects(let entity):
      let index = context.schema.table(of: entity) ?? 0
      let before = context.highestKeys[index]
      var loader = SheetEntities(entity, context, file)
      while try reader.next() {
        try loader.insert(reader, at: place)
        try step()
      }
      if count == 0 { try loader.requireKnownColumns(reader, at: whole) }
      read.append(ReadSheet(file: file, count: count, keyBefore: before))
      rows.end(count, in: .objects)
    }
  }

  private func located(
    _ fault: LinkingFault, _ context: SheetContext, _ property: Name
  ) throws -> CofferError {
    let place = try place(
      ofKey: fault.object.key, entities: context.schema.tables[fault.object.table].entityNames,
      property.isEmpty ? nil : property.text)
    switch fault.kind {
    case .unknownKey: return place.error("there is no such object", advice: .nameKeys)
    case .ambiguousKey:
      return place.error(
        "an earlier object has the same value, which must be unique", advice: .chooseDuplicates)
    case .sharedDestination:
      return place.error("another object already has this destination, which allows only one")
    case .contradiction: return place.error("the destination leads to another object")
    case .severalObjects: return place.error("several objects of the store have this key")
    }
  }

  // MARK: What follows

  /// Computes the derived attributes that tables do not have, in the finished store.
  ///
  /// - Throws: `CofferError` mapped from SQLite's result code.
  package func computeDerivedValues(of path: String) throws {
    guard layout.model.entities.contains(where: { $0.attributes.contains(where: \.isDerived) })
    else {
      return
    }
    try StoreEditor.change(unused: path) { database, store in
      let objects = try ObjectEditor(database, of: store)
      let tables = store.layout.entityTables
      try objects.computeMissingValues { index, column in
        let name = tables[index].tableName
        let own = layout.entityTables.firstIndex { $0.tableName.hasSameBytes(as: name) }
        return own.map { !givenColumns[$0].contains(column) } ?? false
      }
    }
  }

  /// Verifies the finished store.
  ///
  /// - Throws: `CofferError` with `invalid-table` for the first error; errors from reading.
  package func verify(
    _ path: String, _ checks: Set<CheckName>, temporaryFolder: String?,
    progress: any ProgressReporter
  ) throws -> [Finding] {
    var verification = VerificationOptions()
    verification.environment = .inPlace
    verification.checks = checks
    verification.environment.temporaryFolder = temporaryFolder
    let found = FoundDefects()
    try Verifier(options: verification, progress: progress).verify(path) {
      if $0.severity == .error, found.first == nil { found.first = $0 }
      found.collector.add($0)
    }
    guard let first = found.first else {
      return found.collector.findings.filter { $0.severity == .warning }
    }
    var place = SheetPlace(path: folder, column: first.propertyName?.text)
    if let object = first.objectID {
      let tree = layout.model.root(of: object.entityName).map { layout.model.tree(of: $0.name) }
      place = try self.place(
        ofKey: object.primaryKey, entities: (tree ?? []).map(\.name), first.propertyName?.text)
    }
    let detail = first.detail.isEmpty ? "" : " (\(first.detail))"
    throw place.error("\(first.code.meaning)\(detail)")
  }

  private final class FoundDefects {
    var first: Finding?
    var collector = FindingCollector()
  }
}

extension SheetFile.Subject {
  fileprivate var isOfPairs: Bool { if case .pairs = self { true } else { false } }
}

extension SheetFilling {
  /// Finds the place of a property of an object by reading its tables again.
  ///
  /// - Parameters:
  ///   - key: the primary key of the object.
  ///   - entities: the entities whose objects are in its table.
  ///   - column: the name of the property; nil for the object itself.
  /// - Returns: the place; the folder of the tables if no record is the object's.
  /// - Throws: `CofferError` if the tables cannot be read.
  package func place(ofKey key: Int64, entities: [Name], _ column: String?) throws -> SheetPlace {
    let keyName = DataExportPlan.keyName(layout.model)
    let names = Set(entities)
    for table in read {
      guard case .objects(let entity) = table.file.subject, names.contains(entity),
        var place = try place(ofKey: key, in: table, keyName)
      else { continue }
      place.column = column
      return place
    }
    return SheetPlace(path: folder, column: column)
  }

  private func place(
    ofKey key: Int64, in table: ReadSheet, _ keyName: String
  ) throws -> SheetPlace? {
    let file = table.file
    let named = options.keyNames.values.contains(Name(keyName))
    func search(_ reader: some SheetReader) throws -> SheetPlace? {
      var highest = table.keyBefore
      while try reader.next() {
        let values = SheetValues(buffer: reader.buffer, dateFormat: nil)
        let field = reader.record.fields.first {
          !named && reader.columns[$0.column].hasSameBytes(as: keyName)
        }
        let given = field.flatMap { try? values.key($0.value) }
        let own = given ?? highest &+ 1
        if own == key {
          return SheetPlace(path: file.place, line: reader.label)
        }
        highest = max(highest, own)
      }
      return nil
    }
    return try file.read { try search($0) }
  }
}
