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

  /// The meaning of each table and column.
  package let layout: StoreLayout
  /// The settings of the database.
  package let settings: StoreSettings
  private let snapshot: StoreSnapshot
  private let contents: StoreContents

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: the path of the store's file.
  ///   - access: how the store is read; the default is safe in any app.
  /// - Throws: ``CofferError``: `not-found`, `read-failed`, `not-sqlite`, `not-a-core-data-store`,
  ///   `wal-missing`, `store-busy`, `cannot-copy` or `damaged-store`.
  public convenience init(
    readingFrom path: String, access: StoreAccess = .copy
  ) throws(CofferError) {
    try self.init(StoreSnapshot(of: path, options: SnapshotOptions(access)))
  }

  /// Opens a store as ``init(readingFrom:access:)`` does, with more to choose.
  ///
  /// - Parameters:
  ///   - path: the store's main file.
  ///   - access: how the store is read while it is open.
  ///   - toleratesMissingTables: whether one of Core Data's own tables may be missing. Missing metadata
  ///     is empty, and entities without numbers get those that the rule gives them.
  ///   - mayKeepWritersWaiting: whether a store in rollback mode may be read in place. Pass false
  ///     if someone else decides how long reading takes, such as the reader of a pipe.
  /// - Throws: as ``init(readingFrom:access:)``; with `toleratesMissingTables`,
  ///   `not-a-core-data-store` only if the store has neither metadata nor entity numbers.
  package convenience init(
    readingFrom path: String, access: StoreAccess, toleratesMissingTables: Bool,
    mayKeepWritersWaiting: Bool = true
  ) throws(CofferError) {
    var options = SnapshotOptions(access)
    options.mayKeepWritersWaiting = mayKeepWritersWaiting
    try self.init(StoreSnapshot(of: path, options: options), isTolerant: toleratesMissingTables)
  }

  /// Opens a store as ``init(readingFrom:access:)`` does, for statements of users.
  ///
  /// - Parameters:
  ///   - path: the store's main file.
  ///   - access: how the store is read while it is open.
  ///   - mayKeepWritersWaiting: whether a store in rollback mode may be read in place.
  /// - Throws: as ``init(readingFrom:access:)``.
  package convenience init(
    querying path: String, access: StoreAccess, mayKeepWritersWaiting: Bool
  ) throws(CofferError) {
    var options = SnapshotOptions(access)
    options.answersQueries = true
    options.mayKeepWritersWaiting = mayKeepWritersWaiting
    try self.init(StoreSnapshot(of: path, options: options))
  }

  /// Opens a private copy of one state of a store.
  ///
  /// - Parameters:
  ///   - path: the store's main file; its support folder must have the same state.
  ///   - content: the copy, which must not change while it is open.
  ///   - toleratesMissingTables: as in ``init(readingFrom:access:toleratesMissingTables:mayKeepWritersWaiting:)``.
  /// - Throws: as ``init(readingFrom:access:)``.
  package convenience init(
    stateOf path: String, in content: String, toleratesMissingTables: Bool = false
  ) throws(CofferError) {
    var options = SnapshotOptions(.inPlace)
    options.content = content
    try self.init(StoreSnapshot(of: path, options: options), isTolerant: toleratesMissingTables)
  }

  /// Reads the structure of a store that is open.
  package convenience init(
    _ snapshot: StoreSnapshot, isTolerant: Bool = false
  ) throws(CofferError) {
    var contents = try snapshot.use { database throws(CofferError) in
      try StoreContents(database, isTolerant: isTolerant)
    }
    if snapshot.hasMendedSchema { contents.noteMendedSchema() }
    self.init(snapshot, contents, numbersByRule: isTolerant)
  }

  private init(_ snapshot: StoreSnapshot, _ contents: StoreContents, numbersByRule: Bool) {
    self.snapshot = snapshot
    self.contents = contents
    path = snapshot.path
    if let model = contents.model {
      var registry = contents.registry
      if numbersByRule, registry.isForeign(to: model) {
        registry = EntityRegistry(numberedByRule: model, systemRows: registry.systemRows)
      }
      self.model = model
      layout = StoreLayout(model: model, registry: registry, catalog: contents.catalog)
    } else {
      (model, layout) = StoreLayout.inferred(registry: contents.registry, catalog: contents.catalog)
    }
    let catalog = contents.catalog
    settings = StoreSettings(
      pageSize: catalog.pageSize, autoVacuum: catalog.autoVacuum, encoding: catalog.encoding,
      userVersion: catalog.userVersion, applicationID: catalog.applicationID,
      journalMode: snapshot.journalMode == .wal ? .wal : .delete)
  }

  /// The same open store with another model instead of an inferred one, and the matching tables and
  /// columns.
  package func planned(for model: ManagedObjectModel) -> PersistentStore {
    var contents = contents
    contents.model = model
    return PersistentStore(snapshot, contents, numbersByRule: true)
  }

  /// The same open store with the tables, columns and entity numbers of a copy that was changed since.
  ///
  /// A model that was given stays, unless the copy has one.
  package func planned(like copy: SQLiteDatabase) throws(CofferError) -> PersistentStore {
    var contents = try StoreContents(copy, isTolerant: false)
    if contents.model == nil, model.source == .file { contents.model = model }
    return PersistentStore(snapshot, contents, numbersByRule: false)
  }

  /// The reason why the store's own copy of the model could not be used; nil if it was used, or
  /// there is none.
  public var modelProblem: CofferError? { contents.modelProblem }

  /// The parts of a damaged store that could not be read, a sentence each; empty if all could.
  package var unreadableParts: [String] { contents.unreadableParts }

  /// The UUID of the store, which is part of its object URIs; nil if it has none.
  public var uuid: String? { metadata.uuid }

  /// The version of the framework that last wrote the store; nil if it is unknown.
  public var frameworkVersion: Int64? { metadata.frameworkVersion }

  /// The store metadata.
  package var metadata: StoreMetadata { contents.metadata }
  /// The numbers of the entities and the counters of primary keys.
  package var registry: EntityRegistry { contents.registry }
  /// The declarations of the database's schema.
  package var catalog: SchemaCatalog { contents.catalog }
  /// The size of the database in bytes.
  package var byteCount: Int { contents.byteCount }

  /// Passes the database to a closure; all closures see the same state.
  package func use<T, E: Error>(_ body: (SQLiteDatabase) throws(E) -> T) throws(E) -> T {
    try snapshot.use(body)
  }

  /// Begins SQLite's check of the database on another thread; nil if the store is read in a way
  /// that does not allow a second reader of the same state.
  package func beginAudit(isDeep: Bool) -> ConcurrentAudit? {
    snapshot.openConnections(upTo: 1).first.map { ConcurrentAudit($0, isDeep: isDeep) }
  }

  /// Opens more connections to the same state, each for another thread.
  ///
  /// They must be closed before the store is.
  ///
  /// - Returns: as many as could be opened; none if the store is read in a way that does not allow a
  ///   second reader of the same state.
  package func openConnections(upTo count: Int) -> [SQLiteConnection] {
    snapshot.openConnections(upTo: count)
  }

  /// Passes the pages of the state to a closure.
  ///
  /// - Returns: the result of the closure; nil if the files do not determine the pages of the state.
  /// - Throws: ``CofferError``: `read-failed`; `store-busy` if a store that is read in place was changed;
  ///   errors from the closure.
  package func pages<T>(_ body: (SnapshotPages) throws -> T) throws -> T? {
    try snapshot.pages(body)
  }

  /// The facts that show whether the files still have the same content; nil if that is not certain.
  ///
  /// - Throws: ``CofferError``: `read-failed`; `store-busy` if a store that is read in place was changed.
  package func identity() throws(CofferError) -> ContentIdentity? { try snapshot.identity() }

  /// Lets another connection read the same state as an attached database, for one transaction.
  ///
  /// - Parameters:
  ///   - database: the other connection, in a transaction that ends before the store is closed.
  ///   - name: the name of the attached schema.
  /// - Throws: ``CofferError``: `store-busy` if the store has changed since it was opened, or is read in
  ///   a way that does not allow a second reader; otherwise mapped from SQLite's result code.
  package func attach(to database: SQLiteDatabase, as name: String) throws(CofferError) {
    try snapshot.attach(to: database, as: name)
  }

  /// The error for a damaged store that is readable without its log, which belongs to another store; nil otherwise.
  package func foreignLogError() -> CofferError? { snapshot.foreignLogError() }

  /// The defect of the write-ahead log; nil if there is none.
  ///
  /// - Throws: ``CofferError`` with the code `read-failed` when the log cannot be read.
  package func logDefect() throws(CofferError) -> LogDefect? { try snapshot.logDefect() }

  /// Checks that the store's names still belong to the opened files, after its external files were
  /// read.
  ///
  /// - Throws: ``CofferError`` with the code `store-busy` when the store or its support folder was
  ///   replaced or removed.
  package func requireInPlace() throws(CofferError) { try snapshot.requireInPlace() }

  /// Checks that everything read so far is from one moment.
  ///
  /// - Throws: ``CofferError`` with the code `store-busy` if a writer changed a store that is read
  ///   in place.
  package func requireUnchanged() throws(CofferError) { try snapshot.requireUnchanged() }

  /// Whether the store, if a writer changed it meanwhile, can be read again from a private copy; false
  /// for one that was replaced or removed.
  package var canBeCopiedInstead: Bool { snapshot.canBeCopiedInstead }

  /// The number of missing bytes of the write-ahead log; nonzero only for a salvaged store.
  package var missingLogBytes: Int64 { snapshot.missingLogBytes }

  /// Closes the store.
  ///
  /// It also closes when the last reference is gone.
  public func close() { snapshot.close() }

  /// The maximum number of objects according to the counters of primary keys: an estimate for
  /// progress.
  package var estimatedObjectCount: Int {
    registry.rows.reduce(0) {
      $0 &+ Int(clamping: max(0, $1.maximumPrimaryKey.integer ?? 0))
    }
  }

  /// The number of objects, without reading them; throws an error as SQLite reports it.
  package func objectCount() throws(CofferError) -> Int {
    try use { database throws(CofferError) in
      let counter = RowCounter(database)
      var count = 0
      for table in layout.entityTables { count += try counter.rows(of: table.tableName) }
      return count
    }
  }
}
