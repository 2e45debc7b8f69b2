/// The table in which a store keeps a copy of its model.
///
/// Source: store-format, section 3.
package enum ModelCacheTable {
  /// The copies as they are stored, of which a sound store has exactly one.
  ///
  /// A row without a blob counts as empty bytes; none where the table or its column is missing.
  ///
  /// - Throws: ``StoreError`` with what SQLite reports.
  package static func contents(
    _ database: SQLiteDatabase, catalog: SchemaCatalog
  ) throws(StoreError) -> [[UInt8]] {
    guard catalog.table("Z_MODELCACHE")?.column(StoredName.modelCacheContent) != nil else {
      return []
    }
    return try database.rows("SELECT Z_CONTENT FROM main.Z_MODELCACHE LIMIT 100")
      .map { $0[0].blob ?? [] }
  }
}
