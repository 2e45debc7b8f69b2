package import CoreDataModel

/// Everything that is read from a store when it is opened.
package struct StoreContents: Sendable {
  /// The metadata; empty if a tolerant reading found none.
  package let metadata: StoreMetadata
  /// The numbers of the entities, with their counters.
  package let registry: EntityRegistry
  private(set) var catalog: SchemaCatalog
  /// The store's own copy of the model; nil if there is none, or it is unreadable.
  package var model: ManagedObjectModel?
  let modelProblem: CofferError?
  let byteCount: Int
  /// The parts that damage made unreadable, a sentence each; empty if there are none.
  private(set) var unreadableParts: [String] = []

  /// Reads the contents of a store.
  ///
  /// - Parameters:
  ///   - database: the store.
  ///   - isTolerant: whether missing or damaged tables of Core Data count as empty.
  /// - Throws: errors from the parts; in a tolerant reading, only errors of the whole file.
  package init(_ database: SQLiteDatabase, isTolerant: Bool) throws(CofferError) {
    var parts = TolerantParts(isTolerant: isTolerant)
    let catalog = try SchemaCatalog(database, isTolerant: isTolerant)
    self.catalog = catalog
    metadata = try Self.required("the store metadata is missing") { () throws(CofferError) in
      try Self.metadata(database, catalog, &parts)
    }
    registry = try Self.required("the table of entity numbers is missing") {
      () throws(CofferError) in
      try parts.read("the entity numbers", or: EntityRegistry(rows: [])) {
        () throws(CofferError) in
        guard catalog.table("Z_PRIMARYKEY") != nil else { throw CofferError(.notCoreData) }
        return try EntityRegistry(database, catalog: catalog)
      }
    }
    let pages = try database.value("PRAGMA page_count")?.integer ?? 0
    byteCount = Int(clamping: pages.multipliedReportingOverflow(by: catalog.pageSize).partialValue)
    (model, modelProblem) = try parts.read("the copy of the model", or: (nil, nil)) {
      () throws(CofferError) in try Self.model(database, catalog)
    }
    if !catalog.isWhole { parts.note("the schema", "only its beginning can be read") }
    unreadableParts = parts.unreadable
  }

  /// Records that part of the schema was lost, although tables that were found by their rows can be read.
  mutating func noteMendedSchema() {
    catalog.isWhole = false
    unreadableParts.append(
      "the schema cannot be read: some tables were reconstructed from their rows")
  }

  /// Names the missing part that every store has: because another such part exists, the file is a store, and is
  /// damaged.
  private static func required<T>(
    _ sentence: String, _ body: () throws(CofferError) -> T
  ) throws(CofferError) -> T {
    do {
      return try body()
    } catch {
      guard error.code == .notCoreData else { throw error }
      throw CofferError(
        .damagedStore, path: error.place.path, detail: sentence, advice: .salvageStore)
    }
  }

  private static func metadata(
    _ database: SQLiteDatabase, _ catalog: SchemaCatalog, _ parts: inout TolerantParts
  ) throws(CofferError) -> StoreMetadata {
    let found = try parts.read("the store metadata", or: nil as StoreMetadata?) {
      () throws(CofferError) in try StoreMetadata(database, catalog: catalog)
    }
    if let found { return found }
    // Only the property list may be on a separate page.
    return try parts.read("the store's UUID", or: StoreMetadata.none) { () throws(CofferError) in
      try StoreMetadata(withoutPropertyList: database, catalog: catalog)
    }
  }

  private static func model(
    _ database: SQLiteDatabase, _ catalog: SchemaCatalog
  ) throws(CofferError) -> (ManagedObjectModel?, CofferError?) {
    let copies = try ModelCacheTable.contents(database, catalog: catalog, limit: 1)
    guard let bytes = copies.first else { return (nil, nil) }
    do throws(CofferError) {
      return (try ModelCacheReader.read(compressed: bytes), nil)
    } catch {
      return (nil, error)
    }
  }
}

/// Reads parts of a store that may be damaged, and keeps in mind which were.
///
/// SQLite calls a page that the disk does not give damaged too (`SQLITE_IOERR_CORRUPTFS` becomes
/// `SQLITE_CORRUPT`), and the same page may well be given the next time. So a part that was replaced
/// must be told of: no later check need find anything wrong with it.
package struct TolerantParts {
  /// Whether a part may be replaced at all.
  let isTolerant: Bool
  /// The parts that could not be read, a sentence each, in the order of reading.
  private(set) var unreadable: [String] = []

  init(isTolerant: Bool) { self.isTolerant = isTolerant }

  /// Reads a part.
  ///
  /// The substitute replaces the part if it is missing or damaged.
  ///
  /// - Throws: errors from `body` if nothing is tolerated, or if they are not damage or a missing
  ///   table.
  mutating func read<T>(
    _ name: String, or substitute: T, _ body: () throws(CofferError) -> T
  ) throws(CofferError) -> T {
    do {
      return try body()
    } catch {
      guard isTolerant, error.code == .notCoreData || error.isDamage else { throw error }
      if error.isDamage { note(name, error.detail) }
      return substitute
    }
  }

  /// Records that a part could not be read.
  mutating func note(_ name: String, _ detail: String) {
    unreadable.append("\(name) cannot be read: \(detail)")
  }
}
