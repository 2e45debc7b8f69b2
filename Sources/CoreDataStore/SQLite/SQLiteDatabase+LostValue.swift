package import CoreDataModel

extension SQLiteDatabase {
  /// Removes a value that was announced and did not arrive: it becomes NULL, or empty if the column
  /// does not allow NULL.
  package func removeValue(
    table: String, column: String, row: Int64, columns: [String]
  ) throws(CofferError) {
    let rowNumber = RowPlan.hiddenRowNumber(besides: columns)
    let update =
      "UPDATE \(quotedIdentifier(table)) SET \(quotedIdentifier(column)) = %@ "
      + "WHERE \(rowNumber) = ?"
    do throws(CofferError) {
      try run(update.replacing("%@", with: "NULL"), [.integer(row)])
    } catch  where error.isConstraintViolation {
      try run(update.replacing("%@", with: "zeroblob(0)"), [.integer(row)])
    }
  }

  /// An integer of a row, or nil if there is none.
  package func integer(
    table: String, column: String, row: Int64, columns: [String]
  ) throws(CofferError) -> Int64? {
    let rowNumber = RowPlan.hiddenRowNumber(besides: columns)
    return try value(
      "SELECT \(quotedIdentifier(column)) FROM \(quotedIdentifier(table)) WHERE \(rowNumber) = ?",
      [.integer(row)])?.integer
  }
}
