internal import CoreDataModel

/// Reads a table as an export would, to see whether that works.
struct PlannedScan {
  private let plan: RowPlan
  private let source: SQLiteDatabase
  private let checkpoint: () throws -> Void

  init(_ plan: RowPlan, _ source: SQLiteDatabase, checkpoint: @escaping () throws -> Void) {
    self.plan = plan
    self.source = source
    self.checkpoint = checkpoint
  }

  /// Reads all rows.
  ///
  /// - Returns: their number; nil if a part is unreadable or rows are out of order.
  /// - Throws: ``CofferError`` for anything but damage; what the checkpoint throws.
  func run() throws -> Int? {
    do {
      return try count()
    } catch let error as CofferError {
      guard error.isDamage else { throw error }
      return nil
    }
  }

  private func count() throws -> Int? {
    let statement = try source.prepare(plan.sql)
    var count = 0
    var last: Int64?
    while try statement.step() {
      count += 1
      if count & 0xfff == 0 { try checkpoint() }
      let column = plan.rowNumberColumn ?? plan.firstKeyColumn
      guard let column, statement.storageClass(column) == .integer else { continue }
      let key = statement.int64(column)
      if let last, key < last || (key == last && plan.rowNumberColumn != nil) { return nil }
      last = key
      guard plan.rowNumberColumn != nil else { continue }
      for index in plan.sizeColumns.indices where plan.sizeColumns[index] >= 0 {
        guard statement.storageClass(plan.sizeColumns[index]) == .integer else { continue }
        try readBlob(plan.columns[index], row: key)
      }
    }
    return count
  }

  private func readBlob(_ column: String, row: Int64) throws(CofferError) {
    unsafe try source.blob(table: plan.table, column: column, row: row).readPieces { _, _ in }
  }
}
