/// The table in which a store keeps a copy of its model.
///
/// Source: store-format, section 3.
package enum ModelCacheTable {
  /// The copies as they are stored, of which a sound store has exactly one; a row without a blob
  /// counts as empty bytes.
  ///
  /// - Throws: ``StoreError`` with what SQLite reports, also where the table has no such column.
  package static func contents(_ database: SQLiteDatabase) throws(StoreError) -> [[UInt8]] {
    try database.rows("SELECT Z_CONTENT FROM main.Z_MODELCACHE LIMIT 100").map { $0[0].blob ?? [] }
  }
}
