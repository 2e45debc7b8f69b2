internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// A store as one side of a comparison.
struct StoreSide: ComparisonSide {
  private let store: PersistentStore
  private let folder: SupportFolder
  let objects: any ObjectSource
  let schema: SchemaDocument

  init(_ store: PersistentStore, _ database: SQLiteDatabase) throws(StoreError) {
    self.store = store
    objects = StoreObjects(store, database)
    folder = try SupportFolder(of: StorePaths(store: store.path))
    schema = SchemaDocument(store)
  }

  var kind: SourceKind { .store }
  var estimatedObjectCount: Int { store.estimatedObjectCount }

  func metadata() -> StoreMetadata { store.metadata }

  func digests(of shape: TableLayout) -> [String: ArchiveDigest]? { nil }

  func objectCount(of shape: TableLayout) -> Int? { nil }

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
