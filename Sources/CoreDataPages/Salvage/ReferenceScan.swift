package import CoreDataLayout
package import CoreDataStore

/// Finds references from readable rows to lost rows.
package struct ReferenceScan {
  /// A column of references with the losses of its destination.
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

  /// One reference to a lost row.
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

  /// Scans all rows of a table.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - primaryKey: its column of the primary key of the object that refers.
  ///   - entity: its column of the entity's number, or nil.
  ///   - columns: the columns of references.
  ///   - report: called for each reference to a lost row.
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

/// The losses of a table.
package struct TableLosses: Sendable, Equatable {
  /// A lost value of a readable row.
  package struct Value: Sendable, Hashable {
    /// The row.
    package var row: Int64
    /// The column.
    package var column: String
  }

  /// The table.
  package var table: String
  /// The number of readable rows.
  package var readCount = 0
  /// The lost rows, in ascending order.
  package var rows: [LostRows] = []
  /// Whether an unknown number of rows was lost.
  package var hasUnknownRows = false
  /// The lost values, in ascending order of rows.
  package var values: [Value] = []

  /// Whether nothing was lost.
  package var isEmpty: Bool { rows.isEmpty && !hasUnknownRows && values.isEmpty }
  /// Whether rows were lost and none could be read.
  package var isWholeTable: Bool { readCount == 0 && (!rows.isEmpty || hasUnknownRows) }

  /// Whether a lost row may have a row number.
  package func mayHaveLost(_ key: Int64) -> Bool {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].first <= key { low = middle + 1 } else { high = middle }
    }
    return low > 0 && rows[low - 1].contains(key)
  }
}

extension LostRows {
  /// The number of rows, exact or an upper bound; nil if unknown.
  package var count: Int? { last.flatMap { KeyRange(first, $0)?.count } }

  /// Whether a lost row may have a row number.
  package func contains(_ key: Int64) -> Bool { first <= key && last.map { key <= $0 } ?? true }
}
