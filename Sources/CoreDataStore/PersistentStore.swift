public import CoreDataModel

/// A persistent store, open for reading at one moment in time.
///
/// ```swift
/// let store = try PersistentStore(readingFrom: "Trips.sqlite")
/// for entity in store.model.entities { print(entity.name) }
/// ```
///
/// Opening and reading change nothing: not the store, not its companions, not its folder. All that is
/// read is the state at the moment of opening, whatever other processes write meanwhile.
public final class PersistentStore: Sendable {
  /// The absolute path of the store, without symbolic links.
  public let path: String
  /// The managed object model: the copy that the store keeps, or one that is inferred.
  public let model: ManagedObjectModel
  /// Why the store's own copy of the model could not be used; nil when it was, or there is none.
  public let modelProblem: ModelError?

  /// The store metadata.
  package let metadata: StoreMetadata
  /// The numbers of the entities and the counters of primary keys.
  package let registry: EntityRegistry
  /// What the database's schema declares.
  package let catalog: SchemaCatalog
  /// What each table and column means.
  package let layout: StoreLayout
  /// The settings of the database.
  package let settings: StoreSettings
  /// The size of the database in bytes.
  package let byteCount: Int
  private let snapshot: StoreSnapshot

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: the path of the store's file.
  ///   - access: how the store is read; the default is safe in any app.
  /// - Throws: ``StoreError``: `not-found`, `not-readable`, `not-sqlite`, `not-a-core-data-store`,
  ///   `wal-missing`, `store-busy`, `cannot-copy` or `damaged-store`.
  public convenience init(
    readingFrom path: String, access: StoreAccess = .copy
  ) throws(StoreError) {
    let options = SnapshotOptions(preference: access == .copy ? .copy : .inPlace)
    try self.init(StoreSnapshot(of: path, options: options))
  }

  /// Reads the structure of a store that is open.
  package init(_ snapshot: StoreSnapshot) throws(StoreError) {
    self.snapshot = snapshot
    path = snapshot.path
    let contents = try snapshot.use { database throws(StoreError) in
      try StoreContents(database)
    }
    metadata = contents.metadata
    registry = contents.registry
    catalog = contents.catalog
    modelProblem = contents.modelProblem
    byteCount = contents.byteCount
    if let model = contents.model {
      self.model = model
      layout = StoreLayout(model: model, registry: registry, catalog: catalog)
    } else {
      (model, layout) = StoreLayout.inferred(registry: registry, catalog: catalog)
    }
    settings = StoreSettings(
      pageSize: catalog.pageSize, autoVacuum: catalog.autoVacuum, encoding: catalog.encoding,
      userVersion: catalog.userVersion, applicationID: catalog.applicationID,
      journalMode: snapshot.journalMode == .wal ? .wal : .delete)
  }

  /// The UUID of the store, which is a part of the URIs of its objects; nil where it has none.
  public var uuid: String? { metadata.uuid }

  /// The version of the framework that wrote the store last; nil where it does not say.
  public var frameworkVersion: Int64? { metadata.frameworkVersion }

  /// Lends the database for a block of work; all blocks see the same state.
  package func use<T, E: Error>(_ body: (SQLiteDatabase) throws(E) -> T) throws(E) -> T {
    try snapshot.use(body)
  }

  /// What is wrong with the write-ahead log; nil where nothing is.
  ///
  /// - Throws: ``StoreError`` with the code `not-readable` when the log cannot be read.
  package func logDefect() throws(StoreError) -> LogDefect? { try snapshot.logDefect() }

  /// Closes the store; it closes by itself when nobody holds it any more.
  public func close() { snapshot.close() }

  /// How many objects there are at most, by the counters of primary keys: an estimate for progress.
  package var estimatedObjectCount: Int {
    registry.rows.reduce(0) {
      $0 &+ Int(clamping: max(0, $1.maximumPrimaryKey.integer ?? 0))
    }
  }
}
