package import CoreDataModel

/// Looks for pairs of many-to-many relationships that name objects that are not there, or objects of
/// entities that the relationship does not join.
package struct PairAudit {
  /// A table of pairs with the tables that its columns lead to.
  package struct Pairs: Sendable, Equatable {
    /// The table.
    package var table: String
    /// The column with the objects that the relationship belongs to, and their table.
    package var source: (column: String, table: StoredReference.Table)
    /// The column with the destinations, and their table.
    package var destination: (column: String, table: StoredReference.Table)
    /// The numbers of the entities that the relationship may start from.
    package var sourceEntities: [Int64]
    /// The numbers of the entities that it may lead to.
    package var destinationEntities: [Int64]

    /// Creates a table of pairs.
    package init(
      table: String, source: (column: String, table: StoredReference.Table),
      destination: (column: String, table: StoredReference.Table), sourceEntities: [Int64],
      destinationEntities: [Int64]
    ) {
      self.table = table
      self.source = source
      self.destination = destination
      self.sourceEntities = sourceEntities
      self.destinationEntities = destinationEntities
    }

    /// Whether two tables are the same.
    package static func == (left: Self, right: Self) -> Bool {
      left.table == right.table && left.source == right.source
        && left.destination == right.destination && left.sourceEntities == right.sourceEntities
        && left.destinationEntities == right.destinationEntities
    }
  }

  private let database: SQLiteDatabase

  /// An audit of a database.
  package init(_ database: SQLiteDatabase) { self.database = database }

  /// What is wrong with an end of a pair.
  package enum End: Int64, Sendable {
    /// Nothing: there is an object of an entity that belongs there.
    case sound = 0
    /// There is no such object.
    case missing = 1
    /// The object is of an entity that does not belong there.
    case wrongEntity = 2
  }

  /// Reports the pairs with a defect, in ascending order.
  ///
  /// - Parameters:
  ///   - pairs: the table with what it leads to.
  ///   - report: called with the source's key, which may be that of a missing object, and the state
  ///     of both ends, of which at least one is not sound.
  /// - Throws: ``CofferError`` when the table cannot be read.
  package func defects(
    of pairs: Pairs, report: (_ source: Int64, _ start: End, _ end: End) -> Void
  ) throws(CofferError) {
    let source = "p.\(quotedIdentifier(pairs.source.column))"
    let destination = "p.\(quotedIdentifier(pairs.destination.column))"
    let sourceKey = "s.\(quotedIdentifier(pairs.source.table.primaryKey))"
    let destinationKey = "d.\(quotedIdentifier(pairs.destination.table.primaryKey))"
    let start = Self.state("s", pairs.source.table, pairs.sourceEntities)
    let end = Self.state("d", pairs.destination.table, pairs.destinationEntities)
    let statement = try database.prepare(
      """
      SELECT \(source), \(start) AS start_state, \(end) AS end_state \
      FROM \(quotedIdentifier(pairs.table)) AS p \
      LEFT JOIN \(quotedIdentifier(pairs.source.table.name)) AS s ON \(sourceKey) = \(source) \
      LEFT JOIN \(quotedIdentifier(pairs.destination.table.name)) AS d \
      ON \(destinationKey) = \(destination) \
      WHERE start_state <> 0 OR end_state <> 0 ORDER BY 1, \(destination)
      """)
    while try statement.step() {
      report(
        statement.int64(0), End(rawValue: statement.int64(1)) ?? .sound,
        End(rawValue: statement.int64(2)) ?? .sound)
    }
  }

  /// The state of an end as a number of SQL.
  private static func state(
    _ alias: String, _ table: StoredReference.Table, _ entities: [Int64]
  ) -> String {
    let key = "\(alias).\(quotedIdentifier(table.primaryKey))"
    let entity = "\(alias).\(quotedIdentifier(table.entity))"
    let numbers = entities.map(String.init).joined(separator: ", ")
    // Where no number is known, none can be wrong.
    let isWrong = entities.isEmpty ? "0" : "\(entity) NOT IN (\(numbers))"
    return "CASE WHEN \(key) IS NULL THEN 1 WHEN \(isWrong) THEN 2 ELSE 0 END"
  }
}
