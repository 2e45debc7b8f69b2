package import CoreDataModel

/// The metadata of a store: the row of Z_METADATA.
///
/// Source: store-format, section 1. The keys of the app may hold secrets, so only their names are
/// here; their values are only in ``propertyList``.
package struct StoreMetadata: Sendable, Equatable {
  /// The number of the format, always 1 so far; nil when it is not an integer.
  package var version: Int64?
  /// The UUID of the store, the host of its objects' URIs; nil when it is not a text.
  package var uuid: String?
  /// The property list as stored; empty if there is none.
  package var propertyList: [UInt8]
  /// The reason why the property list could not be read; nil if it could be read or there is none.
  package var propertyListError: CofferError?
  /// The version of the framework that wrote the store last, or nil.
  package var frameworkVersion: Int64?
  /// The type of the store, `SQLite`, or nil.
  package var storeType: String?
  /// The version hash of each entity by name; empty if there are none.
  package var modelVersionHashes: [Name: VersionHash] = [:]
  /// The version identifiers of the model, in the order of the store.
  package var modelVersionIdentifiers: [Name] = []
  /// The digest of all hashes in base64, or nil.
  package var modelVersionHashesDigest: String?
  /// The checksum of the model in base64, or nil.
  package var modelVersionChecksum: String?
  /// Whether the store was ever migrated in place.
  package var wasMigratedInPlace = false
  /// The names of the keys that the app set, in ascending order.
  package var applicationKeys: [String] = []

  /// The systems of the framework that wrote the store last, or nil when it is not known.
  package var era: FrameworkEra? { frameworkVersion.map { FrameworkEra(version: $0) } }

  /// Reads the metadata of a store.
  ///
  /// An unreadable property list is not an error: it is kept unchanged.
  ///
  /// - Throws: ``CofferError``: `not-a-core-data-store` when there is no Z_METADATA, it lacks a
  ///   column or has no row; what SQLite reports otherwise.
  package init(_ database: SQLiteDatabase, catalog: SchemaCatalog) throws(CofferError) {
    guard let table = catalog.table("Z_METADATA") else {
      throw CofferError(.notCoreData, path: database.place, detail: "no table Z_METADATA")
    }
    for column in Self.columns where table.column(column) == nil {
      throw CofferError(
        .notCoreData, path: database.place, detail: "Z_METADATA has no column \(column)")
    }
    guard let first = try Self.rows(database, limit: 1).first else {
      throw CofferError(.notCoreData, path: database.place, detail: "Z_METADATA has no row")
    }
    self = first
  }

  /// Reads the metadata of a store whose property list cannot be read.
  init(withoutPropertyList database: SQLiteDatabase, catalog: SchemaCatalog) throws(CofferError) {
    guard let table = catalog.table("Z_METADATA"), table.column("Z_VERSION") != nil,
      table.column("Z_UUID") != nil
    else { throw CofferError(.notCoreData, path: database.place, detail: "no table Z_METADATA") }
    let row = try database.rows(
      "SELECT Z_VERSION, Z_UUID FROM main.Z_METADATA ORDER BY Z_VERSION LIMIT 1"
    ).first
    self.init(version: row?[0].integer, uuid: row?[1].string, propertyList: [])
  }

  /// The metadata of a store without any.
  package static let none = StoreMetadata(version: nil, uuid: nil, propertyList: [])

  private static let columns = ["Z_VERSION", "Z_UUID", "Z_PLIST"]

  /// Reads all rows of metadata; none if the table or one of its columns is missing.
  ///
  /// A sound store has exactly one.
  ///
  /// - Throws: ``CofferError``, mapped from SQLite's result code.
  package static func all(
    _ database: SQLiteDatabase, catalog: SchemaCatalog
  ) throws(CofferError) -> [StoreMetadata] {
    guard let table = catalog.table("Z_METADATA"), columns.allSatisfy({ table.column($0) != nil })
    else { return [] }
    return try rows(database, limit: 100)
  }

  private static func rows(
    _ database: SQLiteDatabase, limit: Int
  ) throws(CofferError) -> [StoreMetadata] {
    // The length of a blob costs no reading, so that a huge one is never loaded.
    let longest = BinaryPlistReader.maximumSize
    let isRead = "typeof(Z_PLIST) = 'blob' AND length(Z_PLIST) <= \(longest)"
    return try database.rows(
      """
      SELECT Z_VERSION, CASE typeof(Z_UUID) WHEN 'text' THEN substr(Z_UUID, 1, \(longestUUID)) END, \
      CASE WHEN \(isRead) THEN Z_PLIST END, \
      CASE typeof(Z_PLIST) WHEN 'blob' THEN length(Z_PLIST) END \
      FROM main.Z_METADATA ORDER BY Z_VERSION LIMIT \(limit)
      """
    ).map { row in
      var metadata = StoreMetadata(
        version: row[0].integer, uuid: row[1].string, propertyList: row[2].blob ?? [])
      if let count = row[3].integer, count > longest {
        metadata.propertyListError = CofferError(
          .modelLimit, detail: "a property list of \(count) bytes")
      }
      return metadata
    }
  }

  /// The maximum length of a UUID, so that a wrong one shows.
  private static let longestUUID = 1000

  /// The metadata of the values of that row, wherever they were kept.
  package init(version: Int64?, uuid: String?, propertyList: [UInt8]) {
    self.version = version
    self.uuid = uuid
    self.propertyList = propertyList
    if !propertyList.isEmpty { readPropertyList() }
  }

  private mutating func readPropertyList() {
    let list: PropertyListValue
    do throws(CofferError) {
      list = try PropertyListValue.parse(propertyList)
    } catch {
      propertyListError = error
      return
    }
    frameworkVersion = list["NSPersistenceFrameworkVersion"]?.integerValue
    storeType = list["NSStoreType"]?.stringValue
    for entry in list["NSStoreModelVersionHashes"]?.entries ?? [] {
      guard let bytes = entry.value.dataValue else { continue }
      modelVersionHashes[Name(entry.key)] = VersionHash(bytes: bytes)
    }
    modelVersionIdentifiers =
      list["NSStoreModelVersionIdentifiers"]?.elements?.compactMap { value in
        value.stringValue.map { Name($0) }
      } ?? []
    modelVersionHashesDigest = list["NSStoreModelVersionHashesDigest"]?.stringValue
    modelVersionChecksum = list["NSStoreModelVersionChecksumKey"]?.stringValue
    wasMigratedInPlace = list["migrationManagerClass"] != nil
    applicationKeys = (list.entries ?? []).map(\.key).filter { !Self.isFrameworkKey($0) }
      .sorted(by: codeUnitsAscend)
  }

  /// The app's keys with their values, in the order of the property list; empty if it is
  /// unreadable.
  package var applicationEntries: [PropertyListValue.Entry] {
    guard let list = try? PropertyListValue.parse(propertyList) else { return [] }
    return Self.applicationEntries(in: list.entries ?? [])
  }

  /// The app's keys in the metadata of a store of any type.
  package static func applicationEntries(
    in entries: [PropertyListValue.Entry]
  ) -> [PropertyListValue.Entry] {
    entries.filter { !isFrameworkKey($0.key) }
  }

  /// The property list without the keys of iCloud; nil if it has none, or is unreadable.
  ///
  /// Core Data removes these keys, such as `com.apple.coredata.ubiquity.token`, when a store is taken out of
  /// iCloud. It refuses a store that has them outside of its container.
  package var detachedPropertyList: [UInt8]? {
    guard let entries = try? PropertyListValue.parse(propertyList).entries else { return nil }
    let kept = entries.filter { entry in
      let isOfFramework = ["com.apple.", "NS", "_NS", "PF"].contains { entry.key.hasPrefix($0) }
      return !isOfFramework || !entry.key.lowercased().contains("ubiquit")
    }
    return kept.count == entries.count ? nil : BinaryPlistWriter.write(.dictionary(kept))
  }

  /// Whether a key of the property list is the framework's.
  private static func isFrameworkKey(_ key: String) -> Bool {
    key == "migrationManagerClass"
      || ["NSStore", "NSPersisten", "_NS"].contains { key.hasPrefix($0) }
  }
}

/// The table with a store's copy of its model.
///
/// Source: store-format, section 3.
package enum ModelCacheTable {
  /// The stored copies; a sound store has exactly one.
  ///
  /// A row without a blob counts as empty bytes; one that is too large for a model counts as too
  /// many zeros. Empty if the table or its column is missing.
  ///
  /// - Returns: the bytes of each copy.
  /// - Throws: ``CofferError``, mapped from SQLite's result code.
  package static func contents(
    _ database: SQLiteDatabase, catalog: SchemaCatalog, limit: Int = 2
  ) throws(CofferError) -> [[UInt8]] {
    guard catalog.table("Z_MODELCACHE")?.column(StoredName.modelCacheContent) != nil else {
      return []
    }
    // The length of a blob costs no reading, so that a huge one is never loaded.
    let longest = ModelCacheReader.maximumCompressedSize
    return try database.rows(
      """
      SELECT CASE WHEN typeof(Z_CONTENT) = 'blob' THEN \
      CASE WHEN length(Z_CONTENT) <= \(longest) THEN Z_CONTENT ELSE zeroblob(\(longest + 1)) END END \
      FROM main.Z_MODELCACHE LIMIT \(limit)
      """
    ).map { $0[0].blob ?? [] }
  }
}
