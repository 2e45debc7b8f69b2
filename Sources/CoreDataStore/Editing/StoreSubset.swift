package import CoreDataModel

/// Writes a part of a store to a fresh database: no page, no statistics, no history and no table of an
/// app or of CloudKit mirroring is copied with its content.
package struct StoreSubset {
  private let store: PersistentStore
  private let construction: StoreConstruction
  private let statements: [SchemaStatement]
  /// The name of the store's schema in the fresh database.
  package static let source = "coffer_source"
  /// The developer's name for the version of a model, which may contain anything.
  private static let identifiersKey = "NSStoreModelVersionIdentifiers"
  /// The data that a framework needs to open a store and to identify its model.
  private static let frameworkKeys: Set<String> = [
    "NSPersistenceFrameworkVersion", "NSPersistenceMaximumFrameworkVersion",
    "NSStoreModelVersionChecksumKey", "NSStoreModelVersionHashes",
    "NSStoreModelVersionHashesDigest", "NSStoreModelVersionHashesVersion", identifiersKey,
    "NSStoreType", "_NSAutoVacuumLevel",
  ]

  /// Prepares the fresh database.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - construction: the empty database, with the settings of the store.
  /// - Throws: ``CofferError``: `refused` if the schema is not one of a store, `store-busy` if the store
  ///   has changed since it was opened; otherwise mapped from SQLite's result code.
  package init(of store: PersistentStore, in construction: StoreConstruction) throws(CofferError) {
    self.store = store
    self.construction = construction
    statements = store.catalog.statements.filter { !$0.isInternal }
    try SchemaPolicy.require(store.catalog.statements, place: store.path)
    let shadows = Set(
      store.catalog.tables.filter { if case .shadow = $0.kind { true } else { false } }
        .map { SchemaName($0.name) })
    try construction.create(
      statements.filter { $0.kind == .table && !shadows.contains(SchemaName($0.name)) })
    try construction.use { database throws(CofferError) in
      try store.attach(to: database, as: Self.source)
    }
  }

  /// The objects of the store that are written: none at first.
  package func closure(in database: SQLiteDatabase) throws(CofferError) -> ObjectClosure {
    try ObjectClosure(database, EditedSchema(store.layout), in: Self.source)
  }

  /// Writes the store's own records.
  ///
  /// - Parameters:
  ///   - database: the fresh database.
  ///   - uuid: the UUID of the part.
  ///   - notice: metadata beyond the framework's needs.
  ///   - model: the copy of the model that it has; nil for none.
  /// - Throws: ``CofferError`` mapped from SQLite's result code; `model-limit` if there is no memory to write the model.
  package func writeAdministration(
    in database: SQLiteDatabase, uuid: String, notice: PropertyListValue.Entry,
    model: ManagedObjectModel?
  ) throws(CofferError) {
    try database.run("INSERT INTO main.Z_PRIMARYKEY SELECT * FROM \(Self.source).Z_PRIMARYKEY")
    // In a damaged store, anything can be in the place of a number.
    for column in ["Z_SUPER", "Z_MAX"] {
      try database.run(
        "UPDATE main.Z_PRIMARYKEY SET \(column) = NULL WHERE typeof(\(column)) <> 'integer'")
    }
    let list = try? PropertyListValue.parse(store.metadata.propertyList)
    let entries =
      (list?.entries ?? []).filter { Self.frameworkKeys.contains($0.key) }
      .map { entry in
        let isEmpty = entry.value.elements?.isEmpty ?? true
        return entry.key == Self.identifiersKey && !isEmpty
          ? .init(entry.key, .array([.string("")])) : entry
      } + [notice]
    let bytes = BinaryPlistWriter.write(
      .dictionary(entries.sorted { codeUnitsAscend($0.key, $1.key) }))
    try database.run(
      "INSERT INTO main.Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (?, ?, ?)",
      [.integer(store.metadata.version ?? 1), .string(uuid), .blob(bytes)])
    guard let model, store.catalog.table("Z_MODELCACHE") != nil else { return }
    try database.run(
      "INSERT INTO main.Z_MODELCACHE (\(StoredName.modelCacheContent)) VALUES (?)",
      [.blob(try ModelCacheWriter.write(model))])
  }

  /// Writes the store's own records unchanged.
  package func copyAdministration(in database: SQLiteDatabase) throws(CofferError) {
    for name in ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    where store.catalog.table(name) != nil {
      try database.run("INSERT INTO main.\(name) SELECT * FROM \(Self.source).\(name)")
    }
  }

  /// Creates indexes, empty virtual tables, views and triggers after all rows.
  package func finishSchema() throws(CofferError) {
    try construction.create(statements.filter { $0.kind == .index })
    try construction.createVirtualTables(statements.filter { $0.kind == .virtualTable })
    try construction.create(statements.filter { [.view, .trigger].contains($0.kind) })
  }
}
