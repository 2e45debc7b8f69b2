internal import CoreDataModel

/// What is read of a store when it is opened.
struct StoreContents: Sendable {
  let metadata: StoreMetadata
  let registry: EntityRegistry
  let catalog: SchemaCatalog
  /// The store's own copy of the model; nil where there is none, or none that can be read.
  var model: ManagedObjectModel?
  let modelProblem: ModelError?
  let byteCount: Int

  /// Reads what is there.
  ///
  /// - Parameters:
  ///   - database: the store.
  ///   - isTolerant: whether what is missing or damaged of Core Data's own tables counts as empty.
  /// - Throws: what the parts throw; of a tolerant reading only what concerns the whole file.
  init(_ database: SQLiteDatabase, isTolerant: Bool) throws(StoreError) {
    let catalog = try SchemaCatalog(database, isTolerant: isTolerant)
    self.catalog = catalog
    metadata = try Self.metadata(isTolerant, database, catalog)
    registry = try Self.part(isTolerant, EntityRegistry(rows: [])) { () throws(StoreError) in
      try EntityRegistry(database, catalog: catalog)
    }
    let pages = try database.value("PRAGMA page_count")?.integer ?? 0
    byteCount = Int(clamping: pages.multipliedReportingOverflow(by: catalog.pageSize).partialValue)
    (model, modelProblem) = try Self.part(isTolerant, (nil, nil)) { () throws(StoreError) in
      try Self.model(database, catalog)
    }
  }

  /// A part, or what stands for one that is missing or damaged.
  private static func part<T>(
    _ isTolerant: Bool, _ substitute: T, _ read: () throws(StoreError) -> T
  ) throws(StoreError) -> T {
    do {
      return try read()
    } catch {
      guard isTolerant, error.code == .notCoreData || error.isDamage else { throw error }
      return substitute
    }
  }

  private static func metadata(
    _ isTolerant: Bool, _ database: SQLiteDatabase, _ catalog: SchemaCatalog
  ) throws(StoreError) -> StoreMetadata {
    let found = try part(isTolerant, nil as StoreMetadata?) { () throws(StoreError) in
      try StoreMetadata(database, catalog: catalog)
    }
    if let found { return found }
    // The property list is the part that may lie on a page of its own.
    return try part(isTolerant, StoreMetadata.none) { () throws(StoreError) in
      try StoreMetadata(withoutPropertyList: database, catalog: catalog)
    }
  }

  private static func model(
    _ database: SQLiteDatabase, _ catalog: SchemaCatalog
  ) throws(StoreError) -> (ManagedObjectModel?, ModelError?) {
    let copies = try ModelCacheTable.contents(database, catalog: catalog, limit: 1)
    guard let bytes = copies.first, !bytes.isEmpty else { return (nil, nil) }
    do throws(ModelError) {
      return (try ModelCacheReader.read(compressed: bytes), nil)
    } catch {
      return (nil, error)
    }
  }
}
