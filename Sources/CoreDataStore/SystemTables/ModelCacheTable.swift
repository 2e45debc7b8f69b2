package import CoreDataModel

/// The table in which a store keeps a copy of its model.
///
/// Source: store-format, section 3.
package enum ModelCacheTable {
  /// The copies as they are stored, of which a sound store has exactly one.
  ///
  /// A row without a blob counts as empty bytes; one that is too large for a model counts as too
  /// many zeros. Empty if the table or its column is missing.
  ///
  /// - Parameters:
  ///   - database: the store.
  ///   - catalog: what its schema declares.
  ///   - limit: the maximum number of copies to read.
  /// - Returns: the bytes of each copy.
  /// - Throws: ``CofferError`` with what SQLite reports.
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
