package import CoreDataStore

/// A table to salvage, and the parts of the statements that read its rows.
package struct SalvagedTable: Sendable {
  let schema: SchemaTable
  let columns: [String]
  /// The column with the number of the row's entity, as its index in ``columns``; nil for tables whose rows
  /// have none.
  let entityColumn: Int?
  /// The column with the version counter of the object, likewise.
  let versionColumn: Int?
  /// How the declared types convert values, by column; empty for tables whose rows have no entity.
  private let affinities: [ColumnAffinity]
  /// The column with the name of an entity in the table of their numbers; nil for other tables.
  let nameColumn: Int?
  /// The columns of the two keys in a join table; empty for other tables.
  let pairColumns: [Int]
  /// The numbers of the entities with objects in the table; empty if unknown.
  let entityNumbers: Set<Int64>
  /// The highest row number ever assigned; nil if unknown.
  let maxKey: Int64?
  /// The table of the objects of each entity; nil if unknown.
  let owners: EntityOwners?

  /// The minimum number of values whose storage classes do not fit their columns in a row of another table.
  ///
  /// A program other than Core Data may have written a single such value.
  private static let fewestMisfits = 2
  /// The maximum number of results of a statement.
  private static let resultLimit = Int(ConnectionDefense.maxColumns)
  /// Blobs larger than this are copied piece by piece.
  private static let blobLimit = 4 << 20

  /// Describes a table.
  ///
  /// - Parameters:
  ///   - schema: the table.
  ///   - entityColumn: the column with the number of the row's entity, or nil.
  ///   - entityNumbers: the valid numbers; empty if unknown.
  ///   - maxKey: the highest row number that was ever assigned, or nil.
  ///   - owners: the table of the objects of each entity, or nil.
  package init(
    _ schema: SchemaTable, entityColumn: String? = nil, entityNumbers: Set<Int64> = [],
    maxKey: Int64? = nil, owners: EntityOwners? = nil
  ) {
    self.schema = schema
    let columns = schema.columns.filter { !$0.isGenerated && !$0.isHidden }.map(\.name)
    self.columns = columns
    self.entityColumn = entityColumn.flatMap { name in columns.firstIndex(of: name) }
    versionColumn = entityColumn == nil ? nil : columns.firstIndex { $0 == StoredName.version }
    affinities =
      entityColumn == nil
      ? [] : columns.map { ColumnAffinity(schema.column($0)?.declaredType ?? "") }
    nameColumn =
      SchemaName(schema.name) == SchemaName("Z_PRIMARYKEY")
      ? columns.firstIndex(of: StoredName.entityName) : nil
    let key = schema.columns.filter { $0.primaryKeyPosition > 0 }.map(\.name)
    let hasPairs = key.count == 2 && schema.name.hasPrefix("Z_")
    pairColumns = hasPairs ? key.compactMap { columns.firstIndex(of: $0) } : []
    self.entityNumbers = entityNumbers
    self.maxKey = maxKey
    self.owners = owners
  }

  /// The name of the row number; nil for a table without row numbers.
  var rowNumber: String? {
    schema.canNameRows
      ? RowPlan.hiddenRowNumber(besides: columns) : schema.rowIDAlias.map(quotedIdentifier)
  }

  /// Whether a column may hold blobs that are too large to be read with their row.
  func mayBeLarge(_ column: Int) -> Bool {
    guard schema.canNameRows, columns.count + column + 1 < Self.resultLimit,
      let found = schema.column(columns[column])
    else { return false }
    let type = found.declaredType.uppercased()
    return type.isEmpty || type.contains("BLOB")
  }

  /// The value of a column and the size of a blob that is left out, as two results.
  func results(_ column: Int) -> (value: String, size: String) {
    let name = quotedIdentifier(columns[column])
    guard mayBeLarge(column) else { return (name, "NULL") }
    let isLarge = "typeof(\(name)) = 'blob' AND length(\(name)) > \(Self.blobLimit)"
    return (
      "CASE WHEN \(isLarge) THEN NULL ELSE \(name) END",
      "CASE WHEN \(isLarge) THEN length(\(name)) END"
    )
  }

  /// A statement that gives whole rows: the row number, the values, then the sizes of large blobs, as far as
  /// SQLite allows so many results.
  ///
  /// The source is the text after the name of the table, such as `NOT INDEXED`.
  func selection(_ source: String, _ rest: String) -> String {
    let parts = columns.indices.map(results)
    let list = [rowNumber ?? "NULL"] + parts.map(\.value) + parts.map(\.size)
    let results = list.prefix(max(columns.count + 1, Self.resultLimit)).joined(separator: ", ")
    return "SELECT \(results) FROM \(quotedIdentifier(schema.name)) "
      + "\(source) \(rest)"
  }

  /// Whether a row of ``selection(_:_:)`` can belong to this table: a misplaced page shows rows of
  /// another table.
  func isPlausible(_ row: borrowing SQLiteStatement) -> Bool {
    // No pair lacks one of its two keys.
    if pairColumns.contains(where: { row.storageClass(Int32(clamping: $0 + 1)) == .null }) {
      return false
    }
    if let nameColumn, row.storageClass(Int32(clamping: nameColumn + 1)) != .text { return false }
    guard let entityColumn else { return true }
    let column = Int32(clamping: entityColumn + 1)
    guard row.storageClass(column) == .integer else { return false }
    // If the numbers are lost, rows of another table can have a number in the same column.
    if entityNumbers.isEmpty || owners?.areInferred == true, misfits(row) >= Self.fewestMisfits {
      return false
    }
    if entityNumbers.isEmpty { return true }
    if let versionColumn, row.storageClass(Int32(clamping: versionColumn + 1)) == .null {
      return false
    }
    return entityNumbers.contains(row.int64(column))
  }

  /// The number of values in storage classes that the columns do not keep.
  private func misfits(_ row: borrowing SQLiteStatement) -> Int {
    var count = 0
    for (column, affinity) in affinities.enumerated()
    where !affinity.fits(row.storageClass(Int32(clamping: column + 1))) {
      count += 1
    }
    return count
  }
}
