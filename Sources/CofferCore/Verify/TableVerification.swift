internal import CoreDataLayout

/// The verification of one table, which records its keys and passes its rows to the visitors.
final class TableVerification {
  let table: VerifiedTable
  /// The values of the current row.
  ///
  /// Fill it before ``takeRow()``.
  let cells: Row
  private(set) var rowCount = 0
  private let context: VerificationContext
  private let visitors: RowVisitor?
  private let keys: KeyDirectory?

  init(
    _ table: VerifiedTable, _ observers: [any RunObserver], _ context: VerificationContext
  ) throws {
    self.table = table
    self.context = context
    cells = Row(columnCount: table.shape.fields.count)
    keys = context.keys(of: table)
    visitors = RowVisitor.chain(try observers.compactMap { try $0.visitor(of: table) }[...])
  }

  /// Takes the row in ``cells``.
  func takeRow() throws {
    rowCount &+= 1
    if rowCount & 0xfff == 0 { try Task<Never, Never>.checkCancellation() }
    cells.primaryKey = table.primaryKeyColumn.flatMap { cells.integer($0) }
    cells.entityNumber = table.entityColumn.flatMap { cells.integer($0) }
    cells.entity = EntityIndices.unknown
    if let number = cells.entityNumber { cells.entity = context.entities.index(of: number) }
    if let keys, let key = cells.primaryKey {
      let version = table.versionColumn.flatMap { cells.integer($0) } ?? 0
      if try !keys.append(key: key, entity: cells.entity, version: UInt32(clamping: version)) {
        try context.report(.duplicateObject, objectID: context.objectID(cells, in: table))
      }
    }
    try visitors?.visit(cells)
  }

  /// Finishes after the last row.
  func finish() throws {
    try visitors?.tableDone()
    try keys?.finish()
  }
}
