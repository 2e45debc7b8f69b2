internal import CoreDataLayout
internal import CoreDataModel
package import CoreDataStore

/// The system tables: the store metadata, the entity numbers with the primary key counters, and the
/// copy of the model.
package struct SystemTables {
  /// The rows of store metadata; empty if the table is missing or empty.
  package var metadata: [StoreMetadata] = []
  /// The entity numbers; nil if the table is missing or empty.
  var registry: EntityRegistry?
  /// The stored copies of the model; empty if there are none.
  var modelCaches: [[UInt8]] = []
  var hasModelCacheTable = false
  /// The parts that damage made unreadable, a sentence each; empty if all are readable.
  var unreadableParts: [String] = []

  init() {}

  /// Reads the system tables of a store.
  ///
  /// A damaged part counts as missing.
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

  /// Whether damage made a part unreadable, given by its name in ``unreadableParts``.
  func lacksReadable(_ part: String) -> Bool {
    unreadableParts.contains { $0.hasPrefix("\(part) cannot be read") }
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
