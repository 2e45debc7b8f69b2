package import CoreDataArchive
package import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

/// An open store, valid within a block of its database.
package final class StoreRowSource: RowSource {
  package let store: PersistentStore
  package let database: SQLiteDatabase
  private let tables: StoreTables
  /// The rows to which the tables are limited; nil for all.
  private let changedRows: ChangedRows?
  /// Whether rows of a table that are not in the order of their keys are an error.
  private let checksOrder: Bool
  /// Whether rows that are not read count as well.
  private var countsAllRows = false
  /// The support folder, after it was first needed.
  private var knownFolder: SupportFolder?
  /// Whether columns have an index, by the names of table and column.
  private var indexedColumns: [[Name]: Bool] = [:]

  /// Creates a source for a store.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - database: its database.
  ///   - tables: its tables, which determine the maximum size of a blob to read with its row.
  ///   - changedRows: the rows to which the tables are limited, if SQLite reports changes of their rows;
  ///     the database must know them; nil for all.
  ///   - checksOrder: whether rows of a table that are not in the order of their keys are an error, as
  ///     damaged pages show them.
  package init(
    _ store: PersistentStore, _ database: SQLiteDatabase, _ tables: StoreTables,
    limitedTo changedRows: ChangedRows? = nil, checksOrder: Bool = true
  ) {
    self.store = store
    self.database = database
    self.tables = tables
    self.changedRows = changedRows
    self.checksOrder = checksOrder
  }

  /// Creates a source for a store.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - database: its database.
  ///   - blobLimit: the maximum size of a blob to read with its row, in bytes.
  package convenience init(_ store: PersistentStore, _ database: SQLiteDatabase, blobLimit: Int) {
    self.init(store, database, StoreTables(store, blobLimit: blobLimit))
  }

  /// The same store without rows that are known to be the same in another state, which still count.
  ///
  /// - Throws: ``CofferError`` mapped from SQLite's result code; `CancellationError`.
  package func limited(to changedRows: ChangedRows) throws -> StoreRowSource {
    try changedRows.copy(to: database)
    let source = StoreRowSource(
      store, database, tables, limitedTo: changedRows, checksOrder: checksOrder)
    source.countsAllRows = true
    return source
  }

  /// The number of rows of a table, if some were left out; otherwise nil.
  package func limitedRowCount(of shape: TableLayout) throws(CofferError) -> Int? {
    guard countsAllRows, let source = tables.sources.first(where: { $0.shape == shape }) else {
      return nil
    }
    let sql = "SELECT count(*) FROM \(quotedIdentifier(source.plan.table))"
    return try database.value(sql)?.integer.map { Int(clamping: $0) }
  }

  package var kind: SourceKind { .store }
  package var path: String { store.path }
  package var model: ManagedObjectModel { store.model }
  package var schema: SchemaDocument { SchemaDocument(store) }
  package var shapes: [TableLayout] { tables.sources.map(\.shape) }
  package var entities: NumberedEntities { tables.entities }

  package func metadata() -> StoreMetadata { store.metadata }

  package func estimatedRowCount(of shape: TableLayout) -> Int? {
    guard shape.kind == .entity, let root = shape.entityName else { return nil }
    let row = store.registry.rows.first { $0.name == root }
    return row?.maximumPrimaryKey.integer.map { Int(clamping: max(0, $0)) }
  }

  package var fingerprint: ArchiveFingerprint? { nil }

  package func digests(of shape: TableLayout) -> [Name: ArchiveDigest]? { nil }

  package func rows(
    of shape: TableLayout, into row: Row, keys: ClosedRange<Int64>?, filter: RowFilter?
  ) throws -> StoreRows {
    guard var source = tables.sources.first(where: { $0.shape == shape }) else {
      preconditionFailure("the store has no such table")
    }
    if let keys {
      source.plan = source.plan.limited(to: keys)
    } else if let changedRows, isFollowed(source) {
      source.plan = changedRows.limited(source.plan)
    } else if let filter, store.catalog.encoding == "UTF-8" {
      // Texts in UTF-16 have another order, and are compared here after their conversion.
      source.plan = source.plan.limited(to: filter)
    }
    return try StoreRows(
      source, into: row, database: database, path: checksOrder ? store.path : nil)
  }

  /// Rows of a table of objects, read one by one by their primary keys; nil for a table
  /// without keys.
  func singleRows(of shape: TableLayout) throws -> StoreRows? {
    guard let column = shape.fields.firstIndex(where: { $0.role == .primaryKey }),
      var source = tables.sources.first(where: { $0.shape == shape })
    else { return nil }
    source.plan = source.plan.row(byColumn: column)
    return try StoreRows(source, into: Row(columnCount: shape.fields.count), database: database)
  }

  /// The rows of a table with an integer in a column, in any order; nil where no index leads to them.
  func rows(of shape: TableLayout, where column: Int, is value: Int64) throws -> StoreRows? {
    guard var source = tables.sources.first(where: { $0.shape == shape }),
      try hasIndex(source.plan.table, column: source.plan.columns[column])
    else { return nil }
    source.plan = source.plan.row(byColumn: column)
    let rows = try StoreRows(source, into: Row(columnCount: shape.fields.count), database: database)
    rows.ask(for: value)
    return rows
  }

  private func hasIndex(_ table: String, column: String) throws(CofferError) -> Bool {
    let name = [Name(table), Name(column)]
    if let known = indexedColumns[name] { return known }
    let isIndexed = try database.hasIndex(ofTable: table, on: column)
    indexedColumns[name] = isIndexed
    return isIndexed
  }

  /// Requires that the rows of a table are in the order of their keys, for work that SQLite does by itself.
  ///
  /// Damaged pages can show rows twice, and SQLite counts and copies them as they come. This reads the keys
  /// alone: the leaves of the table, and no long value.
  ///
  /// - Throws: `damaged-store` if they are not; errors from reading; `CancellationError`.
  package func requireOrder(of shape: TableLayout, limit: Int = .max) throws {
    guard let source = tables.sources.first(where: { $0.shape == shape }),
      let sql = source.plan.statementForKeys
    else { return }
    let statement = try database.prepare(sql)
    var order = KeyOrder(keyColumns: statement.columnCount)
    var count = 0
    while count < limit, try statement.step() {
      guard order.ascends({ statement.integer($0) }) else {
        throw CofferError.disorder(
          of: shape, source.plan.rowNumberColumn.map { _ in ", row \(statement.int64(0))" } ?? "",
          path: store.path)
      }
      count += 1
      if count & 0xfff == 0 { try Task<Never, Never>.checkCancellation() }
    }
  }

  /// Requires that the rows of all tables are in the order of their keys.
  package func requireOrder() throws { for shape in shapes { try requireOrder(of: shape) } }

  /// Whether SQLite reports changed rows of a table.
  private func isFollowed(_ source: TableSource) -> Bool {
    let isInternal = source.shape.isInternal
    return !isInternal && store.catalog.table(source.plan.table)?.isWithoutRowID == false
  }

  private func folder() throws(CofferError) -> SupportFolder {
    if let knownFolder { return knownFolder }
    let folder = try SupportFolder(of: StorePaths(store: store.path))
    knownFolder = folder
    return folder
  }

  package func files() throws -> [SupportFolder.File] { try folder().files }

  package func screen() throws -> SupportFolder.Irregular? { try folder().screen }
  package func requireComplete() throws { try folder().requireComplete() }

  package func read(
    _ file: SupportFolder.File, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    try unsafe folder().read(file, begin: {}, body)
  }

  package func digest(of file: SupportFolder.File) throws -> ArchiveDigest {
    var hasher = ContentHasher()
    _ = try unsafe read(file) { unsafe hasher.update($0) }
    return hasher.digest
  }

  package func requireUnchanged() throws {
    try store.requireInPlace()
  }
}

/// The rows of one table of a store, one after another.
package final class StoreRows: RowCursor {
  package let row: Row
  private let plan: RowPlan
  private let database: SQLiteDatabase
  private let statement: SQLiteStatement
  private let columnCount: Int
  /// The columns whose large values are skipped.
  private let largeColumns: [Int]
  /// Whether the first byte of a large value matters, by column.
  private let isMarked: [Bool]
  /// The result column with the row number if no column of the table contains it; otherwise nil.
  private let rowNumberColumn: Int32?
  private let shape: TableLayout
  /// The order that the rows must have; nil for any.
  private var order: KeyOrder?
  /// The path of the store, for errors of the order; nil if it is not checked.
  private let path: String?

  /// Prepares to read a table.
  ///
  /// - Parameters:
  ///   - source: the table.
  ///   - row: the row to fill.
  ///   - database: the store.
  ///   - path: the path of the store if rows that are not in the order of their keys are an error.
  /// - Throws: `CofferError` if the table cannot be read.
  package init(
    _ source: TableSource, into row: Row, database: SQLiteDatabase, path: String? = nil
  ) throws(CofferError) {
    self.row = row
    self.path = path
    shape = source.shape
    order = path == nil ? nil : KeyOrder(source.plan)
    plan = source.plan
    self.database = database
    statement = try database.prepare(plan.sql)
    for (index, value) in plan.parameters.enumerated() {
      statement.bind(value, at: Int32(clamping: index + 1))
    }
    columnCount = source.shape.fields.count
    largeColumns = source.plan.sizeColumns.enumerated().filter { $1 >= 0 }.map(\.offset)
    isMarked = source.shape.fields.map { field in
      if case .attribute(_, _, let isExternal, _) = field.role { isExternal } else { false }
    }
    rowNumberColumn = source.shape.hasRowNumbers ? plan.rowNumberColumn : nil
  }

  package func advance() throws -> Bool {
    guard try statement.step() else { return false }
    // If nothing is checked, the order is ignored: each access would be checked for exclusivity.
    guard path == nil || order?.ascends({ statement.integer($0) }) ?? true else {
      throw CofferError.disorder(
        of: shape, number.map { ", row \($0)" } ?? "", path: path ?? database.place)
    }
    return true
  }

  /// Moves to the row with a key, by a plan for single rows; returns false if there is no such row.
  package func move(to key: Row, _ columns: [Int]) throws -> Bool {
    statement.reset()
    for (index, column) in columns.enumerated() {
      statement.bind(key.value(column), at: Int32(clamping: index + 1))
    }
    return try next()
  }

  /// Moves to the row with a primary key, in rows that are read one by one.
  ///
  /// - Returns: false if there is no such row.
  func move(to key: Int64) throws -> Bool {
    ask(for: key)
    return try next()
  }

  /// Starts again with the rows that have a value.
  func ask(for value: Int64) {
    statement.reset()
    statement.bind(value, at: 1)
  }

  /// Starts again with the rows in another range of numbers, with a plan that is limited to a
  /// range.
  func ask(for numbers: ClosedRange<Int64>) {
    statement.reset()
    order = path == nil ? nil : KeyOrder(plan)
    statement.bind(numbers.lowerBound, at: 1)
    statement.bind(numbers.upperBound, at: 2)
  }

  /// The number of the current row; nil in a table whose rows have none.
  var number: Int64? { plan.rowNumberColumn.map { statement.int64($0) } }

  /// Gives up the current row, so that it can be changed.
  package func leave() { statement.reset() }

  package func load() throws {
    row.read(columnCount, from: statement)
    if let rowNumberColumn { row.rowNumber = statement.int64(rowNumberColumn) }
    for column in largeColumns where row.isNull(column) { try readLarge(column) }
  }

  /// Reads the size and first byte of a value that was too large to read, or NULL.
  private func readLarge(_ column: Int) throws(CofferError) {
    let sizeColumn = plan.sizeColumns[column]
    guard case .integer = statement.storageClass(sizeColumn) else { return }
    var first: UInt8 = 0
    if isMarked[column], let rowColumn = plan.rowNumberColumn {
      let blob = try database.blob(
        table: plan.table, column: plan.columns[column], row: statement.int64(rowColumn))
      try unsafe withUnsafeMutableBytes(of: &first) { buffer throws(CofferError) in
        unsafe try blob.read(into: buffer, at: 0)
      }
    }
    row.setLarge(column, size: Int(clamping: statement.int64(sizeColumn)), firstByte: first)
  }

  package func readValue(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    if let bytes = unsafe row.bytes(column) { return unsafe try body(bytes) }
    guard let rowColumn = plan.rowNumberColumn else { return }
    try unsafe database.readBlob(
      table: plan.table, column: plan.columns[column], row: statement.int64(rowColumn), body)
  }
}

extension SQLiteDatabase {
  /// The first and the last number of a table's rows; nil if they have none, or there are none.
  func numberBounds(of plan: RowPlan) throws(CofferError) -> ClosedRange<Int64>? {
    guard let sql = plan.statementForBounds, let row = try rows(sql).first,
      let first = row.first?.integer, let last = row.last?.integer, first <= last
    else { return nil }
    return first...last
  }

  /// Reads a blob of a row in pieces.
  func readBlob(
    table: String, column: String, row: Int64, from start: Int = 0,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let blob = try blob(table: table, column: column, row: row)
    var offset = start
    var piece = ContiguousArray<UInt8>(
      repeating: 0, count: min(max(blob.count - offset, 0), 1 << 20))
    while offset < blob.count {
      let count = min(piece.count, blob.count - offset)
      try unsafe piece.withUnsafeMutableBytes { buffer in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        unsafe try blob.read(into: part, at: offset)
        unsafe try body(UnsafeRawBufferPointer(part))
      }
      offset += count
    }
  }
}
