internal import CoreDataModel
internal import CoreDataStore

/// Reads the rows of a table of an SQLite database, in the order of their keys.
///
/// Use it only within the block of the database.
final class DatabaseTableReader: TableReader {
  let columns: [String]
  private(set) var record = TableRecord()
  let buffer = TableBuffer()
  let unit = "row"
  private let statement: SQLiteStatement
  private let place: TablePlace

  /// Begins with the first row of a table.
  ///
  /// - Parameters:
  ///   - database: the database.
  ///   - table: the name of the table.
  ///   - place: its path, for errors.
  /// - Throws: `CofferError` mapped from SQLite's result code.
  init(_ database: SQLiteDatabase, table: String, place: String) throws(CofferError) {
    self.place = TablePlace(path: place)
    columns = try database.rows("SELECT name FROM pragma_table_info(?)", [.string(table)])
      .map { $0[0].string ?? "" }
    let names = columns.map(quotedIdentifier).joined(separator: ", ")
    statement = try database.prepare("SELECT \(names) FROM \(quotedIdentifier(table))")
  }

  func next() throws(CofferError) -> Bool {
    record.removeAll()
    buffer.removeAll()
    guard try statement.step() else { return false }
    record.line += 1
    for column in columns.indices {
      let place = Int32(clamping: column)
      let value: TableValue =
        switch statement.storageClass(place) {
        case .null: .none
        case .integer: .integer(statement.int64(place))
        case .real: .real(statement.double(place))
        case .text: unsafe .text(buffer.append(statement.textBytes(place)))
        case .blob: unsafe .blob(buffer.append(statement.blobBytes(place)))
        }
      guard buffer.end <= TableBuffer.largestRecord else { throw TableBuffer.tooLarge(self.place) }
      record.fields.append(TableRecord.Field(column: column, value: value))
    }
    return true
  }
}
