package import CoreDataLayout
package import CoreDataModel

/// Recreates rows of the system tables that a damaged archive has lost.
///
/// Source: store-format, sections 1 and 2.
package struct SystemTableRepair {
  /// The name of the table of a kind that every store has; nil for another kind.
  package static func tableName(of kind: TableLayout.Kind) -> String? {
    switch kind {
    case .metadata: "Z_METADATA"
    case .primaryKeys: "Z_PRIMARYKEY"
    default: nil
    }
  }

  /// An entity of the model and where its objects are.
  package struct Entity {
    /// The name.
    package var name: String
    /// The number.
    package var number: Int64
    /// The number of the superentity; 0 for none.
    package var superentityNumber: Int64
    /// The table of its objects; nil below a root entity.
    package var table: String?

    /// Creates an entity with its number and counter.
    package init(name: String, number: Int64, superentityNumber: Int64, table: String?) {
      self.name = name
      self.number = number
      self.superentityNumber = superentityNumber
      self.table = table
    }
  }

  /// The known metadata.
  package struct Metadata {
    /// The UUID.
    package var uuid: String
    /// The version of the framework, or nil.
    package var frameworkVersion: Int64?
    /// The version hashes by the names of the entities.
    package var versionHashes: [Name: VersionHash]
    /// The digest of the version hashes and the checksum of the model, or nil.
    package var digests: (digest: String, checksum: String)?
    /// The version identifiers of the model.
    package var versionIdentifiers: [Name]

    /// Creates metadata.
    package init(
      uuid: String, frameworkVersion: Int64?, versionHashes: [Name: VersionHash],
      digests: (digest: String, checksum: String)?, versionIdentifiers: [Name]
    ) {
      self.uuid = uuid
      self.frameworkVersion = frameworkVersion
      self.versionHashes = versionHashes
      self.digests = digests
      self.versionIdentifiers = versionIdentifiers
    }
  }

  private let database: SQLiteDatabase

  /// The repair of a database whose rows were inserted.
  package init(_ database: SQLiteDatabase) { self.database = database }

  /// Whether there is a copy of the model.
  package func hasModelCache() throws(CofferError) -> Bool {
    try database.value("SELECT 1 FROM Z_MODELCACHE LIMIT 1") != nil
  }

  /// Removes rows of the copy of the model without content: stores do not need one.
  ///
  /// - Returns: whether there were any.
  package func removeEmptyModelCache() throws(CofferError) -> Bool {
    let condition = "ifnull(length(Z_CONTENT), 0) = 0"
    guard try database.value("SELECT 1 FROM Z_MODELCACHE WHERE \(condition)") != nil else {
      return false
    }
    try database.run("DELETE FROM Z_MODELCACHE WHERE \(condition)")
    return true
  }

  /// Adds a copy of the model.
  package func addModelCache(_ content: [UInt8]) throws(CofferError) {
    try database.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.blob(content)])
  }

  /// Replaces the copies of the model by another one, in a new table if there is none.
  package func replaceModelCache(_ content: [UInt8]) throws(CofferError) {
    try database.run("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
    try database.removeRows(of: "Z_MODELCACHE")
    try addModelCache(content)
  }

  /// Adds store metadata if there is none, or if its property list cannot be read and the version hashes
  /// are known.
  ///
  /// - Returns: whether anything was missing.
  package func addMetadata(_ metadata: Metadata) throws(CofferError) -> Bool {
    let list = SQLiteValue.blob(Self.propertyList(metadata))
    let rows = try database.rows("SELECT Z_PLIST FROM Z_METADATA")
    guard let row = rows.first else {
      try database.run(
        "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
        [.string(metadata.uuid), list])
      return true
    }
    let old = row[0].blob ?? []
    let isReadable = (try? PropertyListValue.parse(old))?.entries != nil
    guard old.isEmpty || !isReadable && !metadata.versionHashes.isEmpty else { return false }
    try database.run("UPDATE Z_METADATA SET Z_PLIST = ?", [list])
    return true
  }

  private static func propertyList(_ metadata: Metadata) -> [UInt8] {
    var entries: [PropertyListValue.Entry] = []
    if let version = metadata.frameworkVersion {
      entries.append(.init("NSPersistenceFrameworkVersion", .integer(version)))
    }
    let hashes = metadata.versionHashes.sorted { $0.key < $1.key }
    entries.append(
      .init(
        "NSStoreModelVersionHashes",
        .dictionary(hashes.map { .init($0.key.text, .data($0.value.bytes)) })))
    if let digests = metadata.digests {
      entries.append(.init("NSStoreModelVersionHashesDigest", .string(digests.digest)))
      entries.append(.init("NSStoreModelVersionChecksumKey", .string(digests.checksum)))
    }
    entries.append(.init("NSStoreModelVersionHashesVersion", .integer(3)))
    let identifiers = metadata.versionIdentifiers.isEmpty ? [""] : metadata.versionIdentifiers
    entries.append(
      .init("NSStoreModelVersionIdentifiers", .array(identifiers.map { .string($0.text) })))
    entries.append(.init("NSStoreType", .string("SQLite")))
    entries.append(.init("_NSAutoVacuumLevel", .string("2")))
    return BinaryPlistWriter.write(.dictionary(entries))
  }

  /// Adds rows with number and counter for entities that have none.
  ///
  /// Counters are the highest existing keys.
  ///
  /// - Returns: the names of the entities without rows before.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func addNumbers(
    of entities: [Entity], historyTables: [String]
  ) throws(CofferError) -> [String] {
    var added: [String] = []
    for entity in entities {
      var highest: Int64 = 0
      if let table = entity.table, entity.superentityNumber == 0 {
        highest = try highestKey(of: table)
      }
      let isNew = try add(
        entity.number, entity.name, superentity: entity.superentityNumber, highest: highest)
      if isNew { added.append(entity.name) }
    }
    // The rows of these tables carry the number that belongs to their name.
    for table in historyTables where table.hasPrefix("A") {
      let number = try database.value(
        "SELECT Z_ENT FROM \(quotedIdentifier(table)) WHERE Z_ENT IS NOT NULL LIMIT 1")
      guard let number = number?.integer, number >= EntityRegistry.firstSystemNumber else {
        continue
      }
      let name = String(table.dropFirst())
      let highest = try highestKey(of: table)
      if try add(number, name, superentity: 0, highest: highest) { added.append(name) }
    }
    return added
  }

  private func highestKey(of table: String) throws(CofferError) -> Int64 {
    try database.value("SELECT max(Z_PK) FROM \(quotedIdentifier(table))")?.integer ?? 0
  }

  private func add(
    _ number: Int64, _ name: String, superentity: Int64, highest: Int64
  ) throws(CofferError) -> Bool {
    let found = try database.value("SELECT 1 FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(number)])
    guard found == nil else { return false }
    try database.run(
      "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
      [.integer(number), .string(name), .integer(superentity), .integer(highest)])
    return true
  }
}
