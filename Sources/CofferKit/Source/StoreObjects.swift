internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// An open store as a source of objects.
struct StoreObjects: ObjectSource {
  private let store: PersistentStore
  private let database: SQLiteDatabase
  private let tables: StoreTables

  init(_ store: PersistentStore, _ database: SQLiteDatabase) {
    self.store = store
    self.database = database
    tables = StoreTables(store)
  }

  var path: String { store.path }
  var model: ManagedObjectModel { store.model }
  var shapes: [TableLayout] { tables.sources.map(\.shape) }

  func reader(of shape: TableLayout, keys: ClosedRange<Int64>?) throws -> any PartReader {
    guard var source = tables.sources.first(where: { $0.shape == shape }) else {
      return EmptyPartReader()
    }
    if let keys { source.plan = source.plan.limited(to: keys) }
    return try StorePartReader(source, entities: tables.entities, database: database)
  }

  func requireUnchanged() throws { try store.requireUnchanged() }
}
