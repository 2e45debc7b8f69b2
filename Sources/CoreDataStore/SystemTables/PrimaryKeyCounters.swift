package import CoreDataModel

/// The counters of primary keys, which Core Data takes the next key from.
///
/// Source: store-format, section 2.3: a tree of entities has one counter, kept at its root; a counter
/// below the highest key makes the app's next save collide.
package struct PrimaryKeyCounters {
  private let database: SQLiteDatabase

  /// The counters of a database.
  package init(_ database: SQLiteDatabase) { self.database = database }

  /// Raises a counter to the highest key of its table if it is lower; returns whether it was raised.
  package func raise(entity: Int64, table: String, primaryKey: String) throws(CofferError) -> Bool {
    let highest = try database.value(
      "SELECT max(\(quotedIdentifier(primaryKey))) FROM \(quotedIdentifier(table))")
    guard let highest = highest?.integer else { return false }
    let current = try database.value(
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(entity)])
    guard let current, (current.integer ?? Int64.min) < highest else { return false }
    try database.run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(highest), .integer(entity)])
    return true
  }

  /// Raises a counter to a key if it is lower.
  package func raise(entity: Int64, to key: Int64) throws(CofferError) {
    try database.run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ?2 WHERE Z_ENT = ?1 AND (Z_MAX IS NULL OR Z_MAX < ?2)",
      [.integer(entity), .integer(key)])
  }

  /// Sets a counter.
  package func set(entity: Int64, to key: Int64) throws(CofferError) {
    try database.run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ?2 WHERE Z_ENT = ?1", [.integer(entity), .integer(key)])
  }

  /// The counter of an entity, as stored; nil if there is none.
  package func counter(of entity: Int64) throws(CofferError) -> SQLiteValue? {
    try database.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(entity)])
  }

  /// The number of an entity of the framework's own; nil if the store has none.
  package func systemNumber(of name: Name) throws(CofferError) -> Int64? {
    try database.value(
      "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ? AND Z_ENT >= ?",
      [.string(name.text), .integer(EntityRegistry.firstSystemNumber)])?.integer
  }

  /// Sets the number of the superentity of an entity; 0 for none.
  package func setSuperentity(of entity: Int64, to number: Int64) throws(CofferError) {
    try database.run(
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = ?2 WHERE Z_ENT = ?1", [.integer(entity), .integer(number)])
  }

  /// Adds the counter of an entity of the framework's own, which a fresh store does not have.
  package func add(_ row: EntityRegistry.Row) throws(CofferError) {
    try database.run(
      "INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
      [
        .integer(row.number), .string(row.name.text), .integer(row.superentityNumber ?? 0),
        row.maximumPrimaryKey,
      ])
  }

  /// Raises the counters of the framework's own tables, which are named after their entities.
  ///
  /// - Returns: the names of the entities whose counters were raised.
  package func raiseSystemCounters() throws(CofferError) -> [String] {
    var raised: [String] = []
    let rows = try database.rows(
      "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT >= ? ORDER BY Z_ENT",
      [.integer(EntityRegistry.firstSystemNumber)])
    for row in rows {
      guard let number = row[0].integer, let name = row[1].string else { continue }
      let table = StoredName.systemTable(ofEntity: Name(name))
      let found = try database.value(
        """
        SELECT count(*) FROM sqlite_master AS m, pragma_table_info(m.name) AS c
        WHERE m.type = 'table' AND m.name = ? AND c.name = 'Z_PK'
        """, [.string(table)])
      guard found?.integer == 1 else { continue }
      if try raise(entity: number, table: table, primaryKey: "Z_PK") { raised.append(name) }
    }
    return raised
  }

  /// Gives the store another UUID.
  package func setStoreUUID(_ uuid: String) throws(CofferError) {
    try database.run("UPDATE Z_METADATA SET Z_UUID = ?", [.string(uuid)])
  }

  /// Removes the keys of iCloud from the metadata; see ``StoreMetadata/detachedPropertyList``.
  package func detachFromCloud() throws(CofferError) {
    let metadata = try StoreMetadata.all(database, catalog: SchemaCatalog(database)).first
    guard let list = metadata?.detachedPropertyList else { return }
    try database.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(list)])
  }
}
