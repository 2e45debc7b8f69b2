package import CoreDataStore

/// The layout of a row of a table of objects, which distinguishes it from others even if nothing refers
/// to it.
package struct RowLayout: Sendable {
  /// The table.
  package let table: SchemaTable
  /// The columns in the order of a record.
  package let columns: [String]
  /// The numbers of the entities with objects in the table.
  package let entityNumbers: Set<Int64>
  private let affinities: [ColumnAffinity]
  private let keyColumn: Int
  private let entityColumn: Int
  private let versionColumn: Int

  /// Describes a table; nil if it has no objects, or columns that a record may lack.
  package init?(_ table: SchemaTable, entityNumbers: Set<Int64>) {
    func position(_ name: String) -> Int? {
      table.columns.firstIndex { SchemaName($0.name) == SchemaName(name) }
    }
    guard table.kind == .ordinary, !table.isWithoutRowID, !entityNumbers.isEmpty,
      !table.columns.contains(where: { $0.isGenerated || $0.isHidden }),
      let key = table.rowIDAlias.flatMap(position), let entity = position(StoredName.entityNumber),
      let version = position(StoredName.version)
    else { return nil }
    self.table = table
    self.entityNumbers = entityNumbers
    columns = table.columns.map(\.name)
    affinities = table.columns.map { ColumnAffinity($0.declaredType) }
    (keyColumn, entityColumn, versionColumn) = (key, entity, version)
  }

  /// Recognizes a row that can belong to this table.
  ///
  /// The last columns may be missing in rows that are older than these columns.
  ///
  /// - Returns: its entity and version; nil if it cannot belong to this table.
  func identity(_ record: StoredRecord, mayBeShort: Bool) -> (entity: Int64, version: Int64)? {
    let count = record.values.count
    guard count == columns.count || mayBeShort && count < columns.count,
      max(keyColumn, entityColumn, versionColumn) < count,
      record.storageClass(keyColumn) == .null,
      let entity = record.integer(entityColumn), entityNumbers.contains(entity),
      let version = record.integer(versionColumn), version > 0,
      (0..<count).allSatisfy({ affinities[$0].fits(record.storageClass($0)) })
    else { return nil }
    return (entity, version)
  }

  /// The values of a row in the order of the columns; nil for lost values.
  func values(
    _ record: StoredRecord, key: Int64, _ encoding: DatabaseHeader.TextEncoding
  ) -> [SQLiteValue?] {
    columns.indices.map { column in
      if column == keyColumn { return .integer(key) }
      guard column < record.values.count else { return .null }
      let value = record.value(column, encoding)
      // Numbers without a fraction are stored as integers.
      if affinities[column] == .real, let number = value?.integer { return .real(Double(number)) }
      return value
    }
  }
}
