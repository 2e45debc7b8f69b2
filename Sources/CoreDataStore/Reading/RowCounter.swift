package import CoreDataModel

/// Counts the rows in the tables of a store, without reading the values.
package struct RowCounter {
  /// The maximum number of distinct entity numbers.
  private static let maxNumbers = 70_000

  private let database: SQLiteDatabase

  /// Counts in an open store.
  package init(_ database: SQLiteDatabase) { self.database = database }

  /// The number of rows in a table; throws an error as SQLite reports it, as all of these.
  package func rows(of table: String) throws(CofferError) -> Int {
    let count = try database.value("SELECT count(*) FROM main.\(quotedIdentifier(table))")
    return Int(clamping: count?.integer ?? 0)
  }

  /// The number of rows in a table of objects for each entity number.
  ///
  /// Rows with a number that is not an integer count as 0, which is not a valid number; so do
  /// excess numbers.
  package func objects(
    of table: String, entityColumn: String?
  ) throws(CofferError) -> [Int64: Int] {
    guard let entityColumn else { return [0: try rows(of: table)] }
    let column = quotedIdentifier(entityColumn)
    var counts: [Int64: Int] = [:]
    let statement = try database.prepare(
      "SELECT \(column), count(*) FROM main.\(quotedIdentifier(table)) GROUP BY \(column)")
    while try statement.step() {
      let isKept = statement.storageClass(0) == .integer && counts.count < Self.maxNumbers
      counts[isKept ? statement.int64(0) : 0, default: 0] += Int(clamping: statement.int64(1))
    }
    return counts
  }

  /// The names of the files that a column of external binary data refers to, in any order, once for each
  /// reference.
  ///
  /// A value that is neither such a reference nor data in its row counts as nil. Blobs that are too large for a
  /// damaged reference are not read: the length of a blob costs no reading. Source of the form: store-format,
  /// section 6.
  package func externalFileNames(table: String, column: String) throws(CofferError) -> [String?] {
    let name = quotedIdentifier(column)
    let rows = try database.rows(
      """
      SELECT CASE WHEN typeof(\(name)) = 'blob' AND length(\(name)) = 38 THEN \(name) END
      FROM main.\(quotedIdentifier(table)) WHERE typeof(\(name)) NOT IN ('null', 'blob')
      OR length(\(name)) <= 1000 AND substr(\(name), 1, 1) IS NOT x'01'
      """)
    return rows.map { ExternalValue.fileName($0[0]) }
  }

  /// The values of a column in the rows with the smallest and the largest row number; empty for an
  /// empty table.
  package func edges(table: String, column: String) throws(CofferError) -> [SQLiteValue] {
    var edges: [SQLiteValue] = []
    for order in ["ASC", "DESC"] {
      let value = try database.value(
        "SELECT \(quotedIdentifier(column)) FROM main.\(quotedIdentifier(table)) "
          + "ORDER BY rowid \(order) LIMIT 1")
      if let value { edges.append(value) }
    }
    return edges
  }
}
