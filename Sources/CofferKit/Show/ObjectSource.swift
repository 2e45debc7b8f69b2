internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// The rows of a store or of an archive, as the lines of an archive.
protocol ObjectSource {
  /// The path, for errors.
  var path: String { get }
  var model: ManagedObjectModel { get }
  var shapes: [TableShape] { get }
  var entities: ArchiveEntities { get }

  /// Reads a table from its beginning.
  ///
  /// - Parameters:
  ///   - shape: the table.
  ///   - keys: the range of the primary keys that are wanted; others may come too.
  /// - Returns: its parts.
  /// - Throws: `StoreError` for a table that cannot be read.
  func reader(of shape: TableShape, keys: ClosedRange<Int64>?) throws -> any PartReader

  /// Makes sure that what was read so far is of one moment.
  func requireUnchanged() throws
}

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
  var shapes: [TableShape] { tables.sources.map(\.shape) }
  var entities: ArchiveEntities { tables.entities }

  func reader(of shape: TableShape, keys: ClosedRange<Int64>?) throws -> any PartReader {
    guard var source = tables.sources.first(where: { $0.shape == shape }) else {
      return EmptyPartReader()
    }
    if let keys { source.plan = source.plan.limited(to: keys) }
    return try StorePartReader(source, entities: tables.entities, database: database)
  }

  func requireUnchanged() throws { try store.requireUnchanged() }
}

/// An archive as a source of objects.
struct ArchiveObjects: ObjectSource {
  private let archive: OpenArchive

  init(_ archive: OpenArchive) { self.archive = archive }

  var path: String { archive.path }
  var model: ManagedObjectModel { archive.documents.model }
  var shapes: [TableShape] { archive.documents.layout.tables }
  var entities: ArchiveEntities { archive.documents.layout.entities }

  func reader(of shape: TableShape, keys: ClosedRange<Int64>?) -> any PartReader {
    ArchivePartReader(shape, of: archive, keys: keys)
  }

  func requireUnchanged() {}
}
