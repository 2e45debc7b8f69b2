package import CoreDataModel
package import CoreDataStore

/// The row numbers of a table according to one of its indexes: an index has its own pages and lists
/// every row.
struct IndexedKeys {
  let table: SalvagedTable
  let source: SQLiteDatabase
  let target: SQLiteDatabase

  /// The rows missing from the copy, in ascending order, according to a fully readable index that
  /// lists every row of the copy; nil if there is no such index.
  ///
  /// - Throws: ``CofferError`` for anything but damage.
  func missing() throws(CofferError) -> [KeyRange]? {
    guard let rowNumber = table.rowNumber else { return nil }
    for index in try names() where try load(index) {
      let name = quotedIdentifier(table.schema.name)
      let keys = quotedIdentifier(SalvageCopy.keyTable)
      let stranger = try target.value(
        "SELECT 1 FROM \(name) WHERE \(rowNumber) NOT IN (SELECT key FROM \(keys)) LIMIT 1")
      guard stranger == nil else { continue }
      return try ranges(
        "SELECT key FROM \(keys) WHERE key NOT IN (SELECT \(rowNumber) FROM \(name)) ORDER BY key")
    }
    return nil
  }

  /// The indexes that hold every row.
  private func names() throws(CofferError) -> [String] {
    do {
      return try source.rows(
        "SELECT name FROM pragma_index_list(?1, 'main') WHERE partial = 0 ORDER BY seq",
        [.string(table.schema.name)]
      ).compactMap(\.first?.string)
    } catch {
      guard error.isDamage else { throw error }
      return []
    }
  }

  /// Reads the row numbers of an index; returns false if it is not fully readable.
  private func load(_ index: String) throws(CofferError) -> Bool {
    let keys = quotedIdentifier(SalvageCopy.keyTable)
    try target.run("DROP TABLE IF EXISTS \(keys)")
    try target.run("CREATE TABLE \(keys) (key INTEGER PRIMARY KEY)")
    let insertion = try target.prepare("INSERT OR IGNORE INTO \(keys) VALUES (?1)")
    do {
      let statement = try source.prepare(
        "SELECT \(table.rowNumber ?? "rowid") FROM \(quotedIdentifier(table.schema.name)) "
          + "INDEXED BY \(quotedIdentifier(index))")
      while try statement.step() {
        insertion.bind(statement.int64(0), at: 1)
        try insertion.run()
      }
      return true
    } catch {
      // An index that SQLite cannot use for this is of no more help than a damaged one.
      guard error.isDamage || error.code == .sqliteError else { throw error }
      return false
    }
  }

  /// The numbers that a query gives in ascending order, as ranges.
  private func ranges(_ sql: String) throws(CofferError) -> [KeyRange] {
    let statement = try target.prepare(sql)
    var result: [KeyRange] = []
    while try statement.step() {
      let key = statement.int64(0)
      if let last = result.last, last.last != .max, last.last + 1 == key {
        result[result.count - 1].last = key
      } else {
        result.append(KeyRange(only: key))
      }
    }
    return result
  }
}

/// Finds whether a table has a row with a primary key, without reading other rows.
///
/// Not to be used outside of the blocks of its database.
package final class KeyLookup {
  private let statement: SQLiteStatement

  /// Prepares to look into a table.
  package init(_ table: String, in database: SQLiteDatabase) throws(CofferError) {
    statement = try database.prepare(
      "SELECT 1 FROM \(quotedIdentifier(table)) NOT INDEXED WHERE \(StoredName.primaryKey) = ?1")
  }

  /// Whether there is a row with a key.
  package func contains(_ key: Int64) throws(CofferError) -> Bool {
    defer { statement.reset() }
    statement.bind(key, at: 1)
    return try statement.step()
  }
}
