package import CoreDataModel

/// Tells whether a table has a row with a primary key, without reading the others.
///
/// Not to be used outside of the blocks of its database.
package final class KeyLookup {
  private let statement: SQLiteStatement

  /// Prepares to look into a table.
  ///
  /// - Throws: ``CofferError`` when the table has no primary keys, or cannot be read at all.
  package init(_ table: String, in database: SQLiteDatabase) throws(CofferError) {
    statement = try database.prepare(
      "SELECT 1 FROM \(quotedIdentifier(table)) NOT INDEXED WHERE \(StoredName.primaryKey) = ?1")
  }

  /// Whether there is a row with a key.
  ///
  /// - Throws: ``CofferError`` when a page on the way to it cannot be read.
  package func contains(_ key: Int64) throws(CofferError) -> Bool {
    defer { statement.reset() }
    statement.bind(key, at: 1)
    return try statement.step()
  }
}
