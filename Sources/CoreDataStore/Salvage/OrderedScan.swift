internal import CoreDataModel

/// Reads rows in the order of an index, or of a table without row numbers: forward until a page cannot
/// be read, then backward until one cannot.
struct OrderedScan {
  let table: SalvagedTable
  let transfer: RowTransfer
  let source: SQLiteDatabase

  /// Reads all readable rows; rows that were already copied stay as they are.
  ///
  /// - Parameter index: the index that holds all columns; nil for the table itself.
  /// - Returns: whether every row could be read.
  /// - Throws: ``CofferError`` for anything but damage.
  func run(index: String? = nil) throws(CofferError) -> Bool {
    let key = table.schema.columns.filter { $0.primaryKeyPosition > 0 }
      .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }
      .map { quotedIdentifier($0.name) }
    guard !key.isEmpty else { return false }
    let using = index.map { "INDEXED BY \(quotedIdentifier($0))" } ?? "NOT INDEXED"
    for direction in ["", " DESC"] {
      let order = key.map { $0 + direction }.joined(separator: ", ")
      do {
        let statement = try source.prepare(table.selection(using, "ORDER BY \(order)"))
        // More rows than there can be pages for come from pages in a circle.
        var count = 0
        while try statement.step() {
          try transfer.carry(statement)
          count += 1
          if count > Self.rowLimit { break }
        }
        if count <= Self.rowLimit { return true }
      } catch {
        guard error.isDamage || error.code == .sqliteError else { throw error }
      }
    }
    return false
  }

  /// The maximum number of rows to read in one direction.
  private static let rowLimit = 1 << 28
}
