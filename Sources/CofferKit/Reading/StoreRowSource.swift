internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// An open store, for the time of a block of its database.
final class StoreRowSource: RowSource {
  private let store: PersistentStore
  private let database: SQLiteDatabase
  private let tables: StoreTables
  /// The support folder, once somebody asked for it.
  private var knownFolder: SupportFolder?

  /// Plans the reading of a store.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - database: its database.
  ///   - tables: its tables, which say how large a blob may be that is read with its row.
  init(_ store: PersistentStore, _ database: SQLiteDatabase, _ tables: StoreTables) {
    self.store = store
    self.database = database
    self.tables = tables
  }

  /// Plans the reading of a store.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - database: its database.
  ///   - blobLimit: the most bytes of a blob that is read with its row.
  convenience init(_ store: PersistentStore, _ database: SQLiteDatabase, blobLimit: Int) {
    self.init(store, database, StoreTables(store, blobLimit: blobLimit))
  }

  var kind: SourceKind { .store }
  var path: String { store.path }
  var model: ManagedObjectModel { store.model }
  var schema: SchemaDocument { SchemaDocument(store) }
  var shapes: [TableLayout] { tables.sources.map(\.shape) }
  var entities: NumberedEntities { tables.entities }

  func metadata() -> StoreMetadata { store.metadata }

  func estimatedRowCount(of shape: TableLayout) -> Int? {
    guard shape.kind == .entity, let root = shape.entityName else { return nil }
    let row = store.registry.rows.first { $0.name == root }
    return row?.maximumPrimaryKey.integer.map { Int(clamping: max(0, $0)) }
  }

  func digests(of shape: TableLayout) -> [String: ArchiveDigest]? { nil }

  func rows(of shape: TableLayout, into row: Row, keys: ClosedRange<Int64>?) throws -> StoreRows {
    guard var source = tables.sources.first(where: { $0.shape == shape }) else {
      preconditionFailure("the store has no such table")
    }
    if let keys { source.plan = source.plan.limited(to: keys) }
    return try StoreRows(source, into: row, database: database)
  }

  private func folder() throws(CofferError) -> SupportFolder {
    if let knownFolder { return knownFolder }
    let folder = try SupportFolder(of: StorePaths(store: store.path))
    knownFolder = folder
    return folder
  }

  func files() throws -> [SupportFolder.File] { try folder().files }

  func read(
    _ file: SupportFolder.File, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    try unsafe folder().read(file, begin: {}, body)
  }

  func digest(of file: SupportFolder.File) throws -> ArchiveDigest {
    var hasher = ContentHasher()
    _ = try unsafe read(file) { unsafe hasher.update($0) }
    return hasher.digest
  }

  func requireUnchanged() throws {
    try store.requireUnchanged()
    try store.requireInPlace()
  }
}
