/// Finds the references of readable rows that lead to rows that were lost.
package struct ReferenceScan {
  /// A column of references with what its destination lost.
  package struct Column {
    /// The name.
    package var name: String
    /// The losses of the destination table.
    package var destination: TableLosses

    /// Describes a column.
    package init(name: String, destination: TableLosses) {
      self.name = name
      self.destination = destination
    }
  }

  /// One reference that leads to a lost row.
  package struct Found {
    /// The primary key of the referring object; nil if the row has none.
    package var primaryKey: Int64?
    /// The number of its entity; nil if the row has none.
    package var entityNumber: Int64?
    /// The index of the column.
    package var column: Int
    /// The lost row.
    package var destination: Int64
  }

  private let database: SQLiteDatabase

  /// A scan of the database that has the rows.
  package init(_ database: SQLiteDatabase) { self.database = database }

  /// Looks at all rows of a table.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - primaryKey: its column of the primary key of the object that refers.
  ///   - entity: its column of the entity's number, or nil.
  ///   - columns: the columns of references.
  ///   - report: called for each that leads to a lost row.
  /// - Throws: ``CofferError`` if the table cannot be read; errors from the closure.
  package func run(
    table: String, primaryKey: String, entity: String?, columns: [Column],
    report: (Found) throws -> Void
  ) throws {
    let key = quotedIdentifier(primaryKey)
    let names = columns.map { quotedIdentifier($0.name) }
    let results = [key, entity.map(quotedIdentifier) ?? "NULL"] + names
    let order = ([key] + names).joined(separator: ", ")
    let statement = try database.prepare(
      "SELECT \(results.joined(separator: ", ")) FROM \(quotedIdentifier(table)) ORDER BY \(order)")
    while try statement.step() {
      for (index, column) in columns.enumerated() {
        guard let key = Self.integer(statement, Int32(clamping: index + 2)),
          column.destination.mayHaveLost(key)
        else { continue }
        try report(
          Found(
            primaryKey: Self.integer(statement, 0), entityNumber: Self.integer(statement, 1),
            column: index, destination: key))
      }
    }
  }

  private static func integer(_ row: borrowing SQLiteStatement, _ column: Int32) -> Int64? {
    row.storageClass(column) == .integer ? row.int64(column) : nil
  }
}
