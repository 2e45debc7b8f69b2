package import CoreDataModel

extension SQLiteDatabase {
  /// Compiles the insertion of rows: a parameter for each column in order, and one for the row
  /// number if rows have one that no column shows; then the same for the next row.
  package func prepareInsertion(
    table: String, columns: [String], hasRowNumbers: Bool, rowCount: Int = 1
  ) throws(CofferError) -> SQLiteStatement {
    var names = columns.map(quotedIdentifier)
    if hasRowNumbers { names.append(RowPlan.hiddenRowNumber(besides: columns)) }
    let row = "(\(Array(repeating: "?", count: max(1, names.count)).joined(separator: ", ")))"
    let rows = Array(repeating: row, count: max(1, rowCount)).joined(separator: ", ")
    return try prepare(
      "INSERT INTO \(quotedIdentifier(table)) (\(names.joined(separator: ", "))) "
        + "VALUES \(rows)")
  }

  /// Removes all rows of a table.
  package func removeRows(of table: String) throws(CofferError) {
    try run("DELETE FROM \(quotedIdentifier(table))")
  }

  /// Writes a blob of zeros to an existing row, to be filled piece by piece.
  package func setZeros(
    _ count: Int, table: String, column: String, row: Int64, columns: [String]
  ) throws(CofferError) {
    let rowNumber = RowPlan.hiddenRowNumber(besides: columns)
    try run(
      "UPDATE \(quotedIdentifier(table)) SET \(quotedIdentifier(column)) = zeroblob(?1) "
        + "WHERE \(rowNumber) = ?2", [.integer(Int64(count)), .integer(row)])
  }

  /// Writes a string to an existing row.
  package func setText(
    _ bytes: UnsafeRawBufferPointer, table: String, column: String, row: Int64, columns: [String]
  ) throws(CofferError) {
    let rowNumber = RowPlan.hiddenRowNumber(besides: columns)
    let statement = try prepare(
      "UPDATE \(quotedIdentifier(table)) SET \(quotedIdentifier(column)) = ?1 "
        + "WHERE \(rowNumber) = ?2")
    unsafe statement.bind(lentText: bytes, at: 1)
    statement.bind(row, at: 2)
    try statement.run()
  }
}
