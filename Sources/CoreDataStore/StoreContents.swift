internal import CoreDataModel

/// What is read of a store when it is opened.
struct StoreContents: Sendable {
  let metadata: StoreMetadata
  let registry: EntityRegistry
  let catalog: SchemaCatalog
  /// The store's own copy of the model; nil where there is none, or none that can be read.
  var model: ManagedObjectModel?
  let modelProblem: CofferError?
  let byteCount: Int
  /// What damage kept from being read, a sentence for each part; empty where all could be read.
  private(set) var unreadableParts: [String] = []

  /// Reads what is there.
  ///
  /// - Parameters:
  ///   - database: the store.
  ///   - isTolerant: whether what is missing or damaged of Core Data's own tables counts as empty.
  /// - Throws: what the parts throw; of a tolerant reading only what concerns the whole file.
  init(_ database: SQLiteDatabase, isTolerant: Bool) throws(CofferError) {
    var parts = TolerantParts(isTolerant: isTolerant)
    let catalog = try SchemaCatalog(database, isTolerant: isTolerant)
    self.catalog = catalog
    metadata = try Self.metadata(database, catalog, &parts)
    registry = try parts.read("the numbers of the entities", or: EntityRegistry(rows: [])) {
      () throws(CofferError) in try EntityRegistry(database, catalog: catalog)
    }
    let pages = try database.value("PRAGMA page_count")?.integer ?? 0
    byteCount = Int(clamping: pages.multipliedReportingOverflow(by: catalog.pageSize).partialValue)
    (model, modelProblem) = try parts.read("the copy of the model", or: (nil, nil)) {
      () throws(CofferError) in try Self.model(database, catalog)
    }
    if !catalog.isWhole { parts.note("the schema", "only its beginning can be read") }
    unreadableParts = parts.unreadable
  }

  private static func metadata(
    _ database: SQLiteDatabase, _ catalog: SchemaCatalog, _ parts: inout TolerantParts
  ) throws(CofferError) -> StoreMetadata {
    let found = try parts.read("the store metadata", or: nil as StoreMetadata?) {
      () throws(CofferError) in try StoreMetadata(database, catalog: catalog)
    }
    if let found { return found }
    // The property list is the part that may lie on a page of its own.
    return try parts.read("the store's UUID", or: StoreMetadata.none) { () throws(CofferError) in
      try StoreMetadata(withoutPropertyList: database, catalog: catalog)
    }
  }

  private static func model(
    _ database: SQLiteDatabase, _ catalog: SchemaCatalog
  ) throws(CofferError) -> (ManagedObjectModel?, CofferError?) {
    let copies = try ModelCacheTable.contents(database, catalog: catalog, limit: 1)
    guard let bytes = copies.first, !bytes.isEmpty else { return (nil, nil) }
    do throws(CofferError) {
      return (try ModelCacheReader.read(compressed: bytes), nil)
    } catch {
      return (nil, error)
    }
  }
}
