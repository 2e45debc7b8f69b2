package import CoreDataModel
internal import POSIX

/// Rehearses the import of a store's schema and rows in a separate database.
///
/// No import can restore a store that is refused there. Statements run on empty tables, and rows are
/// inserted only where the schema has conditions for them.
package final class StoreRehearsal {
  /// A statement that cannot be restored.
  package struct Refusal: Sendable, Equatable {
    /// The statement.
    package var statement: SchemaStatement
    /// The reason; in SQLite's words if SQLite gave it.
    package var reason: String
  }

  /// The limits for a schema in an archive.
  package struct Bounds: Sendable {
    var statementCount: Int
    var schemaSize: Int
    var statementSize: Int

    /// Creates bounds: the number of statements, the bytes of all of them, and of each.
    package init(statementCount: Int, schemaSize: Int, statementSize: Int) {
      self.statementCount = statementCount
      self.schemaSize = schemaSize
      self.statementSize = statementSize
    }

    /// Takes a statement into account; returns why it is too much, or nil if it is not.
    fileprivate mutating func objection(to statement: SchemaStatement) -> String? {
      let size = statement.sql.utf8.count
      guard size <= statementSize else {
        return "it has \(size) bytes, and an archive may have statements of \(statementSize)"
      }
      guard statementCount > 0, size <= schemaSize else {
        return "the schema has more or longer statements than an archive may contain"
      }
      statementCount -= 1
      schemaSize -= size
      return nil
    }
  }

  /// The refusals so far.
  package private(set) var refusals: [Refusal] = []

  private let construction: StoreConstruction
  private let tables: [SchemaName: SchemaStatement]
  private let indexes: [SchemaName: [SchemaStatement]]
  private let policy: SchemaPolicy
  /// The processor time for trying the rows of tables whose schema ``SchemaPolicy`` refuses, in
  /// nanoseconds.
  private var timeLeft: Int64 = 1_000_000_000
  /// The bytes of the longest value of a row that is tried then: the time of some functions grows with the
  /// square, and they cannot be ended.
  private static let longestSuspect = 16 << 10

  /// Runs the statements of a schema, each on its own.
  ///
  /// - Parameters:
  ///   - statements: the schema, in the order of ``SchemaCatalog/statements``.
  ///   - settings: the settings of its database.
  ///   - bounds: the limits of a schema in an archive.
  ///   - place: the place in errors.
  /// - Throws: ``CofferError`` when nothing can be tried, such as `write-failed` without space;
  ///   `CancellationError`.
  package init(
    _ statements: [SchemaStatement], settings: StoreSettings, bounds: Bounds, place: String
  ) throws {
    var bounds = bounds
    var tables: [SchemaName: SchemaStatement] = [:]
    for statement in statements where statement.kind == .table {
      tables[SchemaName(statement.name)] = statement
    }
    self.tables = tables
    policy = SchemaPolicy(statements)
    indexes = Dictionary(
      grouping: statements.filter { $0.kind == .index }, by: { SchemaName($0.tableName) })
    construction = try StoreConstruction(rehearsing: settings, place: place)
    let kinds: [Set<SchemaStatement.Kind>] = [
      [.table], [.index], [.virtualTable, .view, .trigger],
    ]
    for kind in kinds {
      for statement in statements where kind.contains(statement.kind) {
        if let objection = bounds.objection(to: statement) {
          refuse(statement, objection)
        } else {
          try create(statement)
        }
      }
    }
  }

  deinit { construction.abandon() }

  private func create(_ statement: SchemaStatement) throws {
    // A statement of a refused table says nothing new.
    let table = SchemaName(statement.tableName)
    let isOrphaned =
      statement.kind != .table
      && refusals.contains { $0.statement.kind == .table && SchemaName($0.statement.name) == table }
    guard !isOrphaned else { return }
    if statement.kind == .table, !statement.isInternal, !statement.listsColumns {
      return refuse(statement, "it does not list columns")
    }
    do {
      try construction.create([statement])
    } catch {
      try refuse(statement, error)
    }
  }

  /// Refuses the statements to which the policy objects, which an import does not run.
  package func refuseUnusual(_ statements: [SchemaStatement]) {
    for statement in statements {
      if let objection = policy.objection(to: statement) { refuse(statement, "it \(objection)") }
    }
  }

  private func refuse(_ statement: SchemaStatement, _ reason: String) {
    refusals.append(Refusal(statement: statement, reason: reason))
  }

  /// Records that a statement failed for its own reason.
  private func refuse(_ statement: SchemaStatement, _ error: CofferError) throws {
    try Task<Never, Never>.checkCancellation()
    guard [.sqliteError, .refused, .damagedStore].contains(error.code), !error.isOfDisk else {
      throw error
    }
    refuse(statement, error.detail)
  }
}

extension StoreRehearsal {
  /// Tries whether the rows of a table can be inserted.
  ///
  /// Rows whose key is an integer are assumed to have come in the order of their keys, see
  /// ``KeyOrder``. A table is tried for a short time only, and without rows of large values, if
  /// ``SchemaPolicy`` objects to its schema, which can take any time for each row: an import runs
  /// it only on request.
  ///
  /// - Parameters:
  ///   - plan: how the rows are read.
  ///   - source: the store.
  ///   - isOrdered: whether the order of the plan's key columns is known to be right.
  /// - Throws: ``CofferError`` if the rows cannot be read; `CancellationError`.
  package func tryRows(
    of plan: RowPlan, from source: SQLiteDatabase, isOrdered: Bool = true
  ) throws {
    let name = SchemaName(plan.table)
    guard let table = tables[name], !table.isInternal,
      !refusals.contains(where: { $0.statement == table })
    else { return }
    let conditions = try construction.use { database throws(CofferError) in
      try RowConditions(of: table, indexes[name] ?? [], database)
    }
    if conditions.needRows { return try insertRows(plan, table, source) }
    for unique in conditions.unique {
      if isOrdered, unique.columns == plan.keyColumns.map({ plan.columns[Int($0)] }) { continue }
      guard try unique.isViolated(source, table: plan.table) else { continue }
      let index = indexes[name]?.first { SchemaName($0.name) == SchemaName(unique.index) }
      refuse(index ?? table, "two rows have the same key")
    }
  }

  /// Refuses all conditions on the rows of a table: an import changes some of the rows itself.
  package func refuseConditions(ofTable table: String) throws(CofferError) {
    let name = SchemaName(table)
    guard let statement = tables[name], !refusals.contains(where: { $0.statement == statement })
    else { return }
    let added = (indexes[name] ?? []).filter { $0.isUnique || $0.computes }
    for index in added { refuse(index, "an import changes rows of \(table)") }
    let conditions = try construction.use { database throws(CofferError) in
      try RowConditions(of: statement, [], database)
    }
    let isPlain = conditions.unique.allSatisfy { unique in
      added.contains { SchemaName($0.name) == SchemaName(unique.index) }
    }
    if conditions.needRows || !isPlain {
      refuse(statement, "it has conditions, and an import changes its rows")
    }
  }

  private func insertRows(
    _ plan: RowPlan, _ table: SchemaStatement, _ source: SQLiteDatabase
  ) throws {
    let indexes = (indexes[SchemaName(plan.table)] ?? []).filter { index in
      !refusals.contains { $0.statement == index }
    }
    guard ([table] + indexes).allSatisfy({ policy.objection(to: $0) == nil }) else {
      return try insertSuspectRows(plan, table, indexes, source)
    }
    for index in indexes { try run("DROP INDEX \(quotedIdentifier(index.name))") }
    let failure = try construction.use { database throws(CofferError) in
      try Self.insert(plan, source, into: database, isSuspect: false)
    }
    if let failure { try refuse(table, failure) }
    for index in indexes { try create(index) }
    try construction.use { database throws(CofferError) in
      try database.removeRows(of: plan.table)
    }
  }

  /// Inserts the rows of a table whose schema can take any time for each, as long as ``timeLeft`` lasts.
  private func insertSuspectRows(
    _ plan: RowPlan, _ table: SchemaStatement, _ indexes: [SchemaStatement],
    _ source: SQLiteDatabase
  ) throws {
    try run("COMMIT", "BEGIN IMMEDIATE")
    for index in indexes { try run("DROP INDEX \(quotedIdentifier(index.name))") }
    var isDone = try attempt(table) { database throws(CofferError) in
      try Self.insert(plan, source, into: database, isSuspect: true)
    }
    for index in indexes where isDone {
      isDone = try attempt(index) { database throws(CofferError) in
        do throws(CofferError) { try database.run(index.sql) } catch { return error }
        return nil
      }
    }
    // SQLite has already undone a statement that took too long.
    try? run("ROLLBACK")
    try run("BEGIN IMMEDIATE")
  }

  private func run(_ statements: String...) throws(CofferError) {
    for statement in statements {
      try construction.use { database throws(CofferError) in try database.run(statement) }
    }
  }

  /// Does something to a table that may take any time, and refuses a statement if that fails.
  ///
  /// - Returns: whether it was done; not if it failed or took too long, which is no reason to refuse it.
  private func attempt(
    _ statement: SchemaStatement,
    _ body: (SQLiteDatabase) throws(CofferError) -> CofferError?
  ) throws -> Bool {
    let start = SystemClock.threadNanoseconds
    defer { timeLeft = max(0, timeLeft - (SystemClock.threadNanoseconds - start)) }
    let outcome = try construction.use { database throws(CofferError) in
      try database.limitingTime(to: timeLeft, orBy: nil, body)
    }
    guard let outcome else { return false }
    guard let failure = outcome else { return true }
    try refuse(statement, failure)
    return false
  }

  /// Inserts the rows of a table; returns the error of the first row that cannot be.
  private static func insert(
    _ plan: RowPlan, _ source: SQLiteDatabase, into database: SQLiteDatabase, isSuspect: Bool
  ) throws(CofferError) -> CofferError? {
    let rows = try source.prepare(plan.sql)
    let insertion: SQLiteStatement
    do throws(CofferError) {
      insertion = try database.prepareInsertion(
        table: plan.table, columns: plan.columns, hasRowNumbers: plan.hasHiddenRowNumbers)
    } catch {
      return error
    }
    while try rows.step() {
      if isSuspect, plan.largestValue(of: rows) > longestSuspect { continue }
      plan.bind(rows, to: insertion)
      do throws(CofferError) { try insertion.run() } catch { return error }
    }
    return nil
  }
}

extension RowPlan {
  /// The number of bytes that represent a longer value.
  private static let sampleSize = 1 << 20
  /// The number of bytes of the longest value that is inserted unchanged.
  private static let longest = 4 << 20

  /// The bytes of the largest text or blob in the current row.
  fileprivate func largestValue(of row: borrowing SQLiteStatement) -> Int {
    var largest = 0
    for index in columns.indices {
      let column = Int32(clamping: index)
      switch row.storageClass(column) {
      case .text: largest = unsafe max(largest, row.textBytes(column).count)
      case .blob: largest = unsafe max(largest, row.blobBytes(column).count)
      case .null:
        let size = sizeColumns[index]
        guard size >= 0, row.storageClass(size) == .integer else { continue }
        largest = max(largest, Int(clamping: row.int64(size)))
      case .integer, .real: continue
      }
    }
    return largest
  }

  /// Binds the current row to an insertion of its columns; long blobs become zeros, long texts are cut.
  fileprivate func bind(_ row: borrowing SQLiteStatement, to insertion: borrowing SQLiteStatement) {
    insertion.clearBindings()
    for index in columns.indices {
      let (column, parameter) = (Int32(clamping: index), Int32(clamping: index + 1))
      switch row.storageClass(column) {
      case .integer: insertion.bind(row.int64(column), at: parameter)
      case .real: insertion.bind(row.double(column), at: parameter)
      case .text:
        let text = unsafe row.textBytes(column)
        let sample = unsafe text.count > Self.longest ? text.prefix(Self.sampleSize) : text[...]
        unsafe insertion.bind(lentText: UnsafeRawBufferPointer(rebasing: sample), at: parameter)
      case .blob:
        let blob = unsafe row.blobBytes(column)
        if blob.count > Self.longest {
          insertion.bind(zeroBlob: Int64(Self.sampleSize), at: parameter)
        } else {
          unsafe insertion.bind(lentBlob: blob, at: parameter)
        }
      case .null:
        let size = sizeColumns[index]
        guard size >= 0, row.storageClass(size) == .integer else { continue }
        insertion.bind(zeroBlob: min(row.int64(size), Int64(Self.sampleSize)), at: parameter)
      }
    }
    if let number = rowNumberColumn, hasHiddenRowNumbers {
      insertion.bind(row.int64(number), at: Int32(clamping: columns.count + 1))
    }
  }
}

extension SchemaStatement {
  /// Whether it creates a table from a list of columns, not from a query that it would run.
  fileprivate var listsColumns: Bool {
    var reader = SQLTokenReader(sql)
    return reader.take("CREATE") && reader.take("TABLE") && reader.takeName() != nil
      && reader.next?.isSign("(") ?? false
  }
}
