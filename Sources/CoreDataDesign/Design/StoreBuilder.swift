package import CoreDataModel
package import CoreDataStore

/// Writes the store that a ``StoreDesign`` describes, step by step, into a database under
/// construction.
///
/// The steps are separate so that rows can be inserted after the tables exist: tables, rows, Core
/// Data's own tables, indexes, virtual tables and triggers. ``writeAll(in:)`` does all of them.
package struct StoreBuilder: Sendable {
  /// The identity of a store.
  package struct Identity: Sendable {
    /// The UUID of the store, in capitals.
    package var uuid: String
    /// The version hashes by entity name; empty if they are unknown.
    package var versionHashes: [Name: VersionHash]
    /// The digest of the hashes and the checksum of the model, which newer frameworks keep; nil
    /// without hashes.
    package var digests: (digest: String, checksum: String)?
    /// The keys of the app.
    package var metadata: [PropertyListValue.Entry]

    /// Creates the identity of a store.
    package init(
      uuid: String, versionHashes: [Name: VersionHash],
      digests: (digest: String, checksum: String)?, metadata: [PropertyListValue.Entry] = []
    ) {
      self.uuid = uuid
      self.versionHashes = versionHashes
      self.digests = digests
      self.metadata = metadata
    }
  }

  /// The schema.
  package let design: StoreDesign
  /// The identity of the store.
  package let identity: Identity

  /// Prepares the founding of a store.
  package init(_ design: StoreDesign, identity: Identity) {
    self.design = design
    self.identity = identity
  }

  /// Writes the whole empty store.
  package func writeAll(in construction: StoreConstruction) throws {
    try createTables(in: construction)
    try writeAdministration(in: construction)
    try createIndexes(in: construction)
    try createTriggers(in: construction)
  }

  /// Creates the tables of the objects and the system tables.
  ///
  /// - Throws: ``CofferError`` mapped from SQLite's result code, such as for a table of more columns than it takes.
  package func createTables(in construction: StoreConstruction) throws(CofferError) {
    try construction.create(design.tables)
    try construction.create(administration)
  }

  /// The system tables of a store (store-format, sections 1 to 3).
  private var administration: [SchemaStatement] {
    design.era.keepsModel
      ? Self.allAdministration : Self.indispensable.map(\.statement)
  }

  /// The tables of the administration that a store of any framework can have.
  package static var allAdministration: [SchemaStatement] {
    (indispensable + [administrationTable("Z_MODELCACHE", ["Z_CONTENT BLOB"])]).map(\.statement)
  }

  /// The tables that every store must have, with their columns.
  package static let indispensable = [
    administrationTable(
      "Z_PRIMARYKEY",
      ["Z_ENT INTEGER PRIMARY KEY", "Z_NAME VARCHAR", "Z_SUPER INTEGER", "Z_MAX INTEGER"]),
    administrationTable(
      "Z_METADATA", ["Z_VERSION INTEGER PRIMARY KEY", "Z_UUID VARCHAR(255)", "Z_PLIST BLOB"]),
  ]

  private static func administrationTable(
    _ name: String, _ columns: [String]
  ) -> (statement: SchemaStatement, columns: [String]) {
    let sql = "CREATE TABLE \(name) (\(columns.joined(separator: ", ")))"
    return (
      SchemaStatement(kind: .table, name: name, tableName: name, sql: sql),
      columns.map { String($0.prefix { $0 != " " }) }
    )
  }

  /// Writes the numbers of the entities, the metadata, and the copy of the model; once, after the
  /// tables.
  ///
  /// Counters of primary keys are 0; raise them if you insert rows.
  ///
  /// - Throws: ``CofferError`` for an error of SQLite; ``CofferError`` with `limit` if there is not
  ///   enough memory to compress the model.
  package func writeAdministration(in construction: StoreConstruction) throws {
    let list = BinaryPlistWriter.write(.dictionary(propertyList))
    let copy = design.era.keepsModel ? try ModelCacheWriter.write(design.model) : nil
    try construction.use { database throws(CofferError) in
      let numbers = try database.prepare(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)")
      for row in design.registry.rows {
        numbers.bind(.integer(row.number), at: 1)
        numbers.bind(.string(row.name.text), at: 2)
        numbers.bind(.integer(row.superentityNumber ?? 0), at: 3)
        try numbers.run()
      }
      try database.run(
        "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
        [.string(identity.uuid), .blob(list)])
      if let copy {
        try database.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.blob(copy)])
      }
    }
  }

  /// The metadata that the framework of the era writes, and the app's own.
  private var propertyList: [PropertyListValue.Entry] {
    let era = design.era
    let hashes = identity.versionHashes.sorted { $0.key < $1.key }
      .map { PropertyListValue.Entry($0.key.text, .data($0.value.bytes)) }
    let identifiers = design.model.versionIdentifiers.map { PropertyListValue.string($0.text) }
    var own: [PropertyListValue.Entry] = [
      .init("NSPersistenceFrameworkVersion", .integer(era.version)),
      .init("NSStoreModelVersionHashes", .dictionary(hashes)),
      .init("NSStoreModelVersionHashesVersion", .integer(3)),
      .init("NSStoreModelVersionIdentifiers", .array(identifiers)),
      .init("NSStoreType", .string("SQLite")),
    ]
    if era.keepsVacuumLevel { own.append(.init("_NSAutoVacuumLevel", .string("2"))) }
    if era.keepsMaximumVersion {
      own.append(.init("NSPersistenceMaximumFrameworkVersion", .integer(era.version)))
    }
    if let digests = identity.digests {
      if era.keepsHashesDigest {
        own.append(.init("NSStoreModelVersionHashesDigest", .string(digests.digest)))
      }
      if era.keepsModelChecksum {
        own.append(.init("NSStoreModelVersionChecksumKey", .string(digests.checksum)))
      }
    }
    let names = Set(own.map(\.key))
    return (own + identity.metadata.filter { !names.contains($0.key) })
      .sorted { codeUnitsAscend($0.key, $1.key) }
  }

  /// Creates the indexes.
  ///
  /// - Parameters:
  ///   - construction: the store that is being built.
  ///   - step: called with the number of finished indexes: before each, and after the last.
  /// - Throws: ``CofferError`` mapped from SQLite's result code, such as for rows that are not unique.
  package func createIndexes(
    in construction: StoreConstruction, step: (Int) -> Void = { _ in }
  ) throws(CofferError) {
    try construction.create(design.indexes) { number, _ in step(number) }
  }

  /// Creates the virtual tables, with rows for existing objects, and the triggers.
  ///
  /// Triggers do not run on the connection of a construction.
  ///
  /// - Throws: ``CofferError`` for an error of SQLite, such as missing R-trees.
  package func createTriggers(in construction: StoreConstruction) throws(CofferError) {
    try construction.createVirtualTables(design.virtualTables)
    try construction.use { database throws(CofferError) in
      for filling in design.fillings { try database.run(filling) }
    }
    try construction.create(design.triggers)
  }
}
