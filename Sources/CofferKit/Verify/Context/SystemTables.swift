internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The framework's own tables: the store metadata, the numbers of the entities with the counters of
/// primary keys, and the copy of the model.
struct SystemTables {
  /// The rows of store metadata; empty where the table is missing or empty.
  var metadata: [StoreMetadata] = []
  /// The entities as the store numbers them; nil where the table is missing or empty.
  var registry: EntityRegistry?
  /// The copies of the model as the store keeps them; empty where there are none.
  var modelCaches: [[UInt8]] = []
  /// Whether the store has the table of the model's copy.
  var hasModelCacheTable = false
  /// What damage kept from being read, a sentence for each part; empty where all could be read.
  var unreadableParts: [String] = []

  /// An administration of which nothing is known.
  init() {}

  /// Reads that of a store; a part that is damaged counts as missing, as its table tells.
  init(_ store: PersistentStore, _ database: SQLiteDatabase) throws(CofferError) {
    let catalog = store.catalog
    unreadableParts = store.unreadableParts
    metadata = try readable("the store metadata", []) { () throws(CofferError) in
      try StoreMetadata.all(database, catalog: catalog)
    }
    let registry = store.registry
    self.registry = registry.rows.isEmpty && registry.systemRows.isEmpty ? nil : registry
    hasModelCacheTable = store.layout.otherTables.contains { $0.kind == .modelCache }
    modelCaches = try readable("the copy of the model", []) { () throws(CofferError) in
      try ModelCacheTable.contents(database, catalog: catalog)
    }
  }

  private mutating func readable<T>(
    _ name: String, _ substitute: T, _ read: () throws(CofferError) -> T
  ) throws(CofferError) -> T {
    do {
      return try read()
    } catch {
      guard error.code == .damagedStore else { throw error }
      let sentence = "\(name) cannot be read: \(error.detail)"
      if !unreadableParts.contains(sentence) { unreadableParts.append(sentence) }
      return substitute
    }
  }
}
