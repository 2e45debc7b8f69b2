internal import CofferComparison
package import CofferCore
internal import CofferTables
internal import CoreDataLayout
internal import CoreDataModel
package import CoreDataStore

/// Tables as a store, with the same model, tables, columns and numbers as the store that they are
/// merged into.
package struct TableState {
  /// Finds the records of objects.
  let filling: SheetFilling
  let orders: StatedOrders

  /// The defects that tables can have by themselves; all others are verified after the merge.
  private static let checks: Set<CheckName> = [
    .entities, .references, .pairs, .inverses, .order, .uniqueness, .values, .externalData,
  ]

  /// Makes a store of tables.
  ///
  /// - Parameters:
  ///   - tables: a folder, a file, or `-` for standard input.
  ///   - store: the store that they are merged into.
  ///   - path: the path for the store of the tables; nothing may exist there.
  ///   - options: the options of the merge.
  ///   - progress: receives the progress.
  /// - Throws: ``CofferError`` with `invalid-table` that names the place of the error in the tables;
  ///   errors from reading and writing; `CancellationError`.
  package init(
    _ tables: String, for store: PersistentStore, at path: String, _ options: MergeOptions,
    progress: any ProgressReporter
  ) throws {
    let files = try SheetImporter.files(
      at: tables, of: store.model, options.tables, keeping: "\(path).input")
    filling = SheetFilling(
      files.tables, folder: files.folder, store.layout, options.tables, progress: progress)
    let paths = StorePaths(store: path)
    let construction = try StoreConstruction(at: path, settings: store.settings, place: path)
    defer { construction.abandon() }
    let subset = try StoreSubset(of: store, in: construction)
    let filling = filling
    orders = try construction.use { database in
      let target = try SheetTarget(
        database, source: StoreSubset.source,
        naturalKeys: options.keysOfTables(store.model),
        matchesByObjectID: options.matchesByObjectID)
      try filling.fill(database, files: SupportFolderWriter(of: paths), for: target)
      try subset.copyAdministration(in: database)
      return target.orders
    }
    try subset.finishSchema()
    try construction.finish()
    try filling.computeDerivedValues(of: path)
    _ = try filling.verify(
      path, Self.checks, temporaryFolder: options.environment.temporaryFolder,
      progress: progress)
  }

  /// The error about a property of an object, at the place of its record.
  func error(
    _ object: StoredObject, of schema: EditedSchema, _ property: Name?, _ detail: String,
    advice: CofferError.Advice? = nil
  ) throws -> CofferError {
    try filling.place(
      ofKey: object.key, entities: schema.tables[object.table].entityNames, property?.text
    ).error(detail, advice: advice)
  }
}

extension MergeOptions {
  /// The keys of entities: the chosen ones, and the keys of tables that are attributes.
  func keysOfTables(_ model: ManagedObjectModel) -> [NaturalKey] {
    guard !matchesByObjectID else { return [] }
    let keys = tables.keyNames.sorted { $0.key < $1.key }
    return naturalKeys
      + keys.compactMap { entity, path in
        let names = Name.path(path.text)
        guard !naturalKeys.contains(where: { $0.entityName == entity }),
          model.lineage(of: entity).contains(where: { $0.attribute(at: names) != nil })
        else { return nil }
        return NaturalKey(entityName: entity, keyPaths: [path])
      }
  }
}

/// The requirements of a merge of tables.
extension MergeRun {
  /// Whether an object of the other store has a value for a column: records of tables need not state one.
  ///
  /// A relationship with a destination may be set from the other side.
  func isStated(
    _ column: Int, of object: StoredObject, _ rows: some RowCursor
  ) throws(CofferError) -> Bool {
    guard let stated = other.stated else { return true }
    if values.reference(column, of: object.table) != nil, !rows.row.isNull(column) { return true }
    return try stated.isStated(column, of: object)
  }

  /// Whether the other store has a position for an object in an ordered relationship.
  func isOrderStated(
    _ reference: EditedReference, _ ordered: Int, of object: StoredObject
  ) throws(CofferError) -> Bool {
    guard let stated = other.stated, let column = reference.orderColumn else { return true }
    let index = values.reference(reference.column, of: object.table)
    if let index, stated.orders.references.contains(index) { return true }
    return try stated.isStated(column, of: object)
  }

  /// Checks that a new object from tables has all required values.
  ///
  /// - Throws: ``CofferError`` with `invalid-table`, and the place of its record.
  func requireValues(_ rows: some RowCursor, of object: StoredObject, entity: Int64) throws {
    guard let tables = other.tables else { return }
    let required = requiredProperties[entity] ?? requiredProperties(of: entity, in: object.table)
    requiredProperties[entity] = required
    for (column, name) in required where rows.row.isNull(column) {
      throw try tables.error(
        object, of: other.schema, name,
        "a value is required, and the store has no such object, so that it is a new one")
    }
  }

  private func requiredProperties(of entity: Int64, in table: Int) -> [(column: Int, name: Name)] {
    let model = store.store.model
    let lineage = store.store.layout.numbering.name(of: entity).map { model.lineage(of: $0) } ?? []
    return editor.schema.tables[table].columns.enumerated().compactMap { column, field in
      switch field.role {
      case .attribute(let path, _, _, let declarer):
        let found = lineage.first { $0.name == declarer }?.attribute(at: path)
        guard let found, path.count == 1, !found.isOptional, !found.isDerived else { return nil }
        return (column, found.name)
      case .toOne(let name, let declarer):
        let found = lineage.first { $0.name == declarer }?.relationship(name)
        return found?.isOptional == false ? (column, name) : nil
      default: return nil
      }
    }
  }
}

extension MergeSide {
  /// Whether tables only refer to an object of the store.
  func isKnown(_ object: MatchedObject) -> Bool {
    guard let stated, let table = places.firstIndex(of: object.table) else { return false }
    return ((try? stated.known(StoredObject(table: table, key: object.key))) ?? nil) != nil
  }

  /// Checks that every record of tables identifies exactly one object.
  ///
  /// - Throws: ``CofferError`` with `invalid-table`, and the place of the record.
  func requireIdentified(_ entities: [EntityMatching]) throws {
    for matching in entities {
      try requireIdentified(
        matching.second.examples.first, matching.rule,
        matching.second.incompleteCount > 0
          ? "nothing identifies its object: it has no value, or the value of another record"
          : "another record has the same value, so it does not identify an object",
        advice: .chooseKey)
      try requireIdentified(
        matching.second.ambiguous, matching.rule,
        "several objects of the store have the same value, so the record does not identify one",
        advice: .mergeDuplicates(matching.entityName.text))
    }
  }

  private func requireIdentified(
    _ object: ManagedObjectID?, _ rule: MatchingRule, _ detail: String, advice: CofferError.Advice
  ) throws {
    guard let tables, let object, let table = schema.table(of: object.entityName) else { return }
    throw try tables.error(
      StoredObject(table: table, key: object.primaryKey), of: schema,
      Name(rule.keyPaths.joined(separator: ", ")), detail, advice: advice)
  }
}
