internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Inserts rows with some of their values replaced.
final class AnonymizedRowWriter {
  private let statement: SQLiteStatement
  /// The replacements of the columns, with their effects on the values.
  private(set) var columns: [ColumnReplacement]
  private let values: ValueReplacement

  init(
    _ shape: TableLayout, _ columns: [ColumnReplacement], _ values: ValueReplacement,
    in database: SQLiteDatabase
  ) throws(CofferError) {
    self.columns = columns
    self.values = values
    statement = try database.prepareInsertion(
      table: shape.storedName, columns: shape.fields.map(\.storedName), hasRowNumbers: false)
  }

  /// Inserts the current, loaded row of a cursor.
  func write(_ cursor: some RowCursor) throws {
    for column in columns.indices {
      let parameter = Int32(clamping: column + 1)
      if let value = try columns[column].value(column, of: cursor.row, values) {
        statement.bind(value, at: parameter)
      } else {
        try statement.bind(column, of: cursor, at: parameter)
      }
    }
    try statement.run()
  }
}
