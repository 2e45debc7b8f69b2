internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Inserts rows into one table, several per statement if possible.
///
/// Running a statement costs about as much as a short row, so sharing a run among rows saves time.
final class RowInsertion {
  /// The maximum number of values and rows per run.
  private static let maxValues = 256
  private static let maxRows = 32

  private let single: SQLiteStatement
  private let database: SQLiteDatabase
  private let shape: TableLayout
  /// The number of parameters of a row.
  private let stride: Int
  private let width: Int
  /// The statement that inserts several rows, compiled on first use.
  private var several: PreparedStatement?

  init(_ shape: TableLayout, _ database: SQLiteDatabase) throws(CofferError) {
    self.shape = shape
    self.database = database
    stride = shape.fields.count + (shape.hasRowNumbers ? 1 : 0)
    width = min(Self.maxRows, Self.maxValues / max(1, stride))
    single = try Self.prepare(shape, database, rowCount: 1)
  }

  private static func prepare(
    _ shape: TableLayout, _ database: SQLiteDatabase, rowCount: Int
  ) throws(CofferError) -> SQLiteStatement {
    try database.prepareInsertion(
      table: shape.storedName, columns: shape.fields.map(\.storedName),
      hasRowNumbers: shape.hasRowNumbers, rowCount: rowCount)
  }

  func rowCount() throws(CofferError) -> Int { try database.rowCount(of: shape.storedName) }

  var lastInsertedRow: Int64 { single.lastInsertedRow }

  /// Inserts rows together if there are enough.
  ///
  /// None of them may have values that come later.
  ///
  /// If one of them cannot be inserted, the rows before it stay inserted because there is no
  /// journal, so the import must fail.
  ///
  /// - Returns: the number of inserted rows.
  func insertSeveral(
    _ decoded: DecodedRows, from start: Int, to end: Int
  ) throws(CofferError) -> Int {
    guard width > 1, end - start >= width else { return 0 }
    let statement = try severalRows()
    statement.statement.clearBindings()
    var offset: Int32 = 0
    decoded.lend { lent in
      for row in start..<(start + width) {
        lent.bind(row, [], to: statement.statement, offset)
        offset &+= Int32(truncatingIfNeeded: stride)
      }
    }
    try statement.statement.run()
    return width
  }

  private func severalRows() throws(CofferError) -> PreparedStatement {
    if let several { return several }
    let made = PreparedStatement(try Self.prepare(shape, database, rowCount: width))
    several = made
    return made
  }

  func insert(
    _ decoded: DecodedRows, _ row: Int, _ outOfLineValues: [OutOfLineValue]
  ) throws(CofferError) {
    single.clearBindings()
    decoded.lend { lent in lent.bind(row, outOfLineValues, to: single) }
    try single.run()
  }
}
