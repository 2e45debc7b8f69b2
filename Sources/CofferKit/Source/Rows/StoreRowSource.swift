internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// The rows of an open store, for the time of a block of its database.
struct StoreRowSource: RowSource {
  private let store: PersistentStore
  private let database: SQLiteDatabase
  private let tables: StoreTables
  private let folder: SupportFolder
  private let files: [String: SupportFolder.File]

  /// Plans the reading of a store.
  ///
  /// - Throws: `StoreError` where its support folder cannot be listed.
  init(_ store: PersistentStore, _ database: SQLiteDatabase) throws(StoreError) {
    self.store = store
    self.database = database
    // Whatever fits into a row of SQLite's is read with it.
    tables = StoreTables(store, blobLimit: .max)
    folder = try SupportFolder(of: StorePaths(store: store.path))
    var files: [String: SupportFolder.File] = [:]
    for file in folder.files {
      if let name = file.externalName { files[name] = file }
    }
    self.files = files
  }

  var path: String { store.path }
  var model: ManagedObjectModel { store.model }
  var shapes: [TableLayout] { tables.sources.map(\.shape) }
  var entities: ArchiveEntities { tables.entities }

  func estimatedRowCount(of shape: TableLayout) -> Int? {
    guard shape.kind == .entity, let root = shape.entityName else { return nil }
    let row = store.registry.rows.first { $0.name == root }
    return row?.maximumPrimaryKey.integer.map { Int(clamping: max(0, $0)) }
  }

  func readRows(of shape: TableLayout, into cells: RowCells, _ body: () throws -> Void) throws {
    guard let source = tables.sources.first(where: { $0.shape == shape }) else { return }
    var rows = try StoreRows(source, into: cells, database: database)
    while try next(&rows) { try body() }
  }

  private func next(_ rows: inout StoreRows) throws(StoreError) -> Bool { try rows.next() }

  func readExternalFile(
    _ name: String, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    guard let file = files[name] else { return false }
    return try unsafe folder.read(file, begin: {}, body)
  }

  func requireUnchanged() throws {
    try store.requireUnchanged()
    try store.requireInPlace()
  }
}
