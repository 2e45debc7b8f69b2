/// Looks for pairs of many-to-many relationships that name objects that are not there.
package struct PairAudit {
  /// A table of pairs with the tables that its columns lead to.
  package struct Pairs: Sendable, Equatable {
    /// The table.
    package var table: String
    /// The column with the objects that the relationship belongs to, and their table.
    package var source: (column: String, table: StoredReference.Table)
    /// The column with the destinations, and their table.
    package var destination: (column: String, table: StoredReference.Table)

    /// Creates a table of pairs.
    package init(
      table: String, source: (column: String, table: StoredReference.Table),
      destination: (column: String, table: StoredReference.Table)
    ) {
      self.table = table
      self.source = source
      self.destination = destination
    }

    /// Whether two tables are the same.
    package static func == (left: Self, right: Self) -> Bool {
      left.table == right.table && left.source == right.source
        && left.destination == right.destination
    }
  }

  private let database: SQLiteDatabase

  /// An audit of a database.
  package init(_ database: SQLiteDatabase) { self.database = database }

  /// Reports the pairs with a missing object, in ascending order.
  ///
  /// - Parameters:
  ///   - pairs: the table of pairs.
  ///   - report: called with the source's key, which may be that of a missing object, and whether
  ///     the source and the destination are there.
  /// - Throws: ``StoreError`` with the code that fits SQLite's result.
  package func defects(
    of pairs: Pairs, report: (_ source: Int64, _ hasSource: Bool, _ hasDestination: Bool) -> Void
  ) throws(StoreError) {
    let source = "p.\(quotedIdentifier(pairs.source.column))"
    let destination = "p.\(quotedIdentifier(pairs.destination.column))"
    let sourceKey = "s.\(quotedIdentifier(pairs.source.table.primaryKey))"
    let destinationKey = "d.\(quotedIdentifier(pairs.destination.table.primaryKey))"
    let statement = try database.prepare(
      """
      SELECT \(source), \(sourceKey) IS NOT NULL, \(destinationKey) IS NOT NULL \
      FROM \(quotedIdentifier(pairs.table)) AS p \
      LEFT JOIN \(quotedIdentifier(pairs.source.table.name)) AS s ON \(sourceKey) = \(source) \
      LEFT JOIN \(quotedIdentifier(pairs.destination.table.name)) AS d \
      ON \(destinationKey) = \(destination) \
      WHERE \(sourceKey) IS NULL OR \(destinationKey) IS NULL ORDER BY 1, \(destination)
      """)
    while try statement.step() {
      report(statement.int64(0), statement.int64(1) != 0, statement.int64(2) != 0)
    }
  }
}
