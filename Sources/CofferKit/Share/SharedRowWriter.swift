internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Inserts rows with some of their values replaced.
final class SharedRowWriter {
  private let statement: SQLiteStatement
  private let columns: [ColumnReplacement]
  private let values: ValueReplacement

  /// Prepares to write a table.
  ///
  /// - Throws: ``CofferError`` as SQLite says.
  init(
    _ shape: TableLayout, _ columns: [ColumnReplacement], _ values: ValueReplacement,
    in database: SQLiteDatabase
  ) throws(CofferError) {
    self.columns = columns
    self.values = values
    statement = try database.prepareInsertion(
      table: shape.storedName, columns: shape.fields.map(\.storedName), hasRowNumbers: false)
  }

  /// Inserts a row.
  ///
  /// - Throws: ``CofferError`` as SQLite says.
  func write(_ row: Row) throws(CofferError) {
    for (column, replacement) in columns.enumerated() {
      let parameter = Int32(clamping: column + 1)
      if let value = try replacement.value(column, of: row, values) {
        statement.bind(value, at: parameter)
      } else {
        bind(column, of: row, at: parameter)
      }
    }
    try statement.run()
  }

  /// Lends the statement a value as it is.
  private func bind(_ column: Int, of row: Row, at parameter: Int32) {
    switch row.storageClass(column) {
    case .null: statement.bindNull(parameter)
    case .integer: statement.bind(row.integer(column) ?? 0, at: parameter)
    case .real: statement.bind(row.number(column) ?? 0, at: parameter)
    case .text:
      if let bytes = unsafe row.bytes(column) {
        unsafe statement.bind(lentText: bytes, at: parameter)
      } else {
        statement.bindNull(parameter)
      }
    case .blob:
      if let bytes = unsafe row.bytes(column) {
        unsafe statement.bind(lentBlob: bytes, at: parameter)
      } else {
        statement.bindNull(parameter)
      }
    }
  }
}
