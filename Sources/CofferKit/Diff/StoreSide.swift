internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// A store as one side of a comparison.
struct StoreSide: ComparisonSide {
  private let store: PersistentStore
  private let database: SQLiteDatabase
  private let tables: StoreTables
  private let folder: SupportFolder
  let schema: SchemaDocument

  init(_ store: PersistentStore, _ database: SQLiteDatabase) throws(StoreError) {
    self.store = store
    self.database = database
    tables = StoreTables(store)
    folder = try SupportFolder(of: StorePaths(store: store.path))
    schema = SchemaDocument(store)
  }

  var kind: SourceKind { .store }
  var path: String { store.path }
  var model: ManagedObjectModel { store.model }
  var shapes: [TableShape] { tables.sources.map(\.shape) }
  var estimatedObjectCount: Int { store.estimatedObjectCount }

  func requireUnchanged() throws { try store.requireUnchanged() }

  func metadata() -> StoreMetadata { store.metadata }

  func reader(of shape: TableShape) throws -> any PartReader {
    guard let source = tables.sources.first(where: { $0.shape == shape }) else {
      return EmptyPartReader()
    }
    return try StorePartReader(source, entities: tables.entities, database: database)
  }

  func digests(of shape: TableShape) -> [String: ArchiveDigest]? { nil }

  func objectCount(of shape: TableShape) -> Int? { nil }

  func files() -> [ComparedFile] {
    folder.files.map { ComparedFile(components: $0.components, size: $0.size) }
  }

  func digest(of file: ComparedFile) throws -> ArchiveDigest {
    var hasher = ContentHasher()
    if let found = folder.files.first(where: { $0.components == file.components }) {
      _ = try unsafe folder.read(found, begin: {}) { unsafe hasher.update($0) }
    }
    return hasher.digest
  }
}
