internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// The rows of one table of a store, one after the other.
struct StoreRows: ~Copyable {
  private let cells: RowCells
  private let plan: RowPlan
  private let database: SQLiteDatabase
  private let statement: SQLiteStatement
  private let columnCount: Int
  /// The columns of which large values are left out.
  private let largeColumns: [Int]
  /// By column: whether the first byte of a large value matters.
  private let isMarked: [Bool]

  /// Prepares the reading of a table.
  ///
  /// - Parameters:
  ///   - source: the table.
  ///   - cells: filled with each row.
  ///   - database: the store.
  /// - Throws: `StoreError` when the table cannot be read.
  init(
    _ source: TableSource, into cells: RowCells, database: SQLiteDatabase
  ) throws(StoreError) {
    self.cells = cells
    plan = source.plan
    self.database = database
    statement = try database.prepare(plan.sql)
    columnCount = source.shape.fields.count
    largeColumns = source.plan.sizeColumns.enumerated().filter { $1 >= 0 }.map(\.offset)
    isMarked = source.shape.fields.map { field in
      if case .attribute(_, _, let isExternal, _) = field.role { isExternal } else { false }
    }
  }

  /// Reads the next row.
  ///
  /// - Returns: false where no row is left.
  /// - Throws: `StoreError` when the table cannot be read on.
  func next() throws(StoreError) -> Bool {
    guard try statement.step() else { return false }
    cells.read(columnCount, from: statement)
    for column in largeColumns where cells.isNull(column) { try readLarge(column) }
    return true
  }

  /// Reads what is known of a value that was too large to be read, or that there is none.
  private func readLarge(_ column: Int) throws(StoreError) {
    let sizeColumn = plan.sizeColumns[column]
    guard case .integer = statement.storageClass(sizeColumn) else { return }
    var first: UInt8 = 0
    if isMarked[column], let rowColumn = plan.rowNumberColumn {
      let blob = try database.blob(
        table: plan.table, column: plan.columns[column], row: statement.int64(rowColumn))
      try unsafe withUnsafeMutableBytes(of: &first) { room throws(StoreError) in
        unsafe try blob.read(into: room, at: 0)
      }
    }
    cells.setLarge(
      column, size: Int(clamping: statement.int64(sizeColumn)), firstByte: first)
  }
}
