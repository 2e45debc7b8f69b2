internal import CoreDataModel

/// What is read of a store when it is opened.
struct StoreContents {
  let metadata: StoreMetadata
  let registry: EntityRegistry
  let catalog: SchemaCatalog
  /// The store's own copy of the model; nil where there is none, or none that can be read.
  let model: ManagedObjectModel?
  let modelProblem: ModelError?
  let byteCount: Int

  init(_ database: SQLiteDatabase) throws(StoreError) {
    catalog = try SchemaCatalog(database)
    metadata = try StoreMetadata(database, catalog: catalog)
    registry = try EntityRegistry(database, catalog: catalog)
    let pages = try database.value("PRAGMA page_count")?.integer ?? 0
    byteCount = Int(clamping: pages.multipliedReportingOverflow(by: catalog.pageSize).partialValue)
    (model, modelProblem) = try Self.model(database, catalog)
  }

  private static func model(
    _ database: SQLiteDatabase, _ catalog: SchemaCatalog
  ) throws(StoreError) -> (ManagedObjectModel?, ModelError?) {
    guard catalog.table("Z_MODELCACHE")?.column("Z_CONTENT") != nil,
      let bytes = try database.value("SELECT Z_CONTENT FROM Z_MODELCACHE")?.blob
    else { return (nil, nil) }
    do throws(ModelError) {
      return (try ModelCacheReader.read(compressed: bytes), nil)
    } catch {
      return (nil, error)
    }
  }
}
