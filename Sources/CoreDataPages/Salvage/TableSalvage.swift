internal import CoreDataLayout
internal import CoreDataModel
package import CoreDataStore

/// Determines whether a table of a damaged store is intact, and otherwise saves its readable rows.
package struct TableSalvage {
  private let table: SalvagedTable
  private let plan: RowPlan
  private let source: SQLiteDatabase
  private let target: SQLiteDatabase
  private let checkpoint: () throws -> Void

  /// The result.
  package struct Outcome {
    /// The losses; nil if there are none.
    package var losses: TableLosses?
    /// Whether to read the rows from the copy, because the plan fails in the store.
    package var isCopied: Bool
    /// Whether it contains rows that cannot belong to it; they are left out.
    package var hasStrangers = false

    static let sound = Outcome(losses: nil, isCopied: false)
  }

  /// Prepares the work.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - plan: how its rows would be read if it were whole.
  ///   - source: the store.
  ///   - target: the copy.
  ///   - checkpoint: called now and then; an error ends the work.
  package init(
    _ table: SalvagedTable, plan: RowPlan, from source: SQLiteDatabase, to target: SQLiteDatabase,
    checkpoint: @escaping () throws -> Void
  ) {
    self.table = table
    self.plan = plan
    self.source = source
    self.target = target
    self.checkpoint = checkpoint
  }

  /// Does the work.
  ///
  /// - Throws: ``CofferError`` for anything but damage; errors of the checkpoint.
  package func run() throws -> Outcome {
    let planned = try PlannedScan(plan: plan, source: source, checkpoint: checkpoint).run()
    if planned != nil, try DatabaseAudit(source).isSound(table: table.schema.name),
      try !StrangeObjects(table: table, source: source).areThere()
    {
      return .sound
    }
    // SQLite reserves these names.
    guard !table.schema.name.lowercased().hasPrefix("sqlite_") else {
      var losses = TableLosses(table: table.schema.name)
      losses.hasUnknownRows = true
      return planned == nil ? Outcome(losses: losses, isCopied: false) : .sound
    }
    var hasStrangers = false
    let losses = table.rowNumber == nil ? try saveOrdered() : try saveKeyed(&hasStrangers)
    if let planned, isPlanBetter(planned, losses) { return .sound }
    return Outcome(
      losses: losses.isEmpty ? nil : losses, isCopied: true, hasStrangers: hasStrangers)
  }

  /// Whether to prefer the rows that the plan reads to the saved ones, given their number.
  private func isPlanBetter(_ planned: Int, _ losses: TableLosses) -> Bool {
    // A readable index can belong to another table: it is only used for lost rows of the table.
    if isOrderedByIndex { return !losses.isEmpty && planned >= losses.readCount }
    // The plan knows no rows that cannot be of the table.
    return losses.isEmpty && planned == losses.readCount
  }

  /// Whether the query plan reads an index instead of the table.
  private var isOrderedByIndex: Bool { plan.rowNumberColumn == nil && table.rowNumber != nil }

  private func saveOrdered() throws(CofferError) -> TableLosses {
    let transfer = try RowTransfer(table, from: source, to: target)
    let isWhole = try OrderedScan(table: table, transfer: transfer, source: source).run()
    var losses = TableLosses(table: table.schema.name)
    losses.readCount = try carriedCount()
    losses.hasUnknownRows = !isWhole
    return losses
  }

  private func saveKeyed(_ hasStrangers: inout Bool) throws -> TableLosses {
    let transfer = try RowTransfer(table, from: source, to: target)
    let scan = try KeyedScan(table, transfer, source, checkpoint: checkpoint)
    try scan.run()
    hasStrangers = scan.hasStrangers
    if !table.pairColumns.isEmpty, let index = try primaryKeyIndex(),
      try StrangePairs(table: table, source: source, target: target).remove(index: index)
    {
      hasStrangers = true
      if table.columns.count == table.pairColumns.count {
        _ = try OrderedScan(table: table, transfer: transfer, source: source).run(index: index)
      }
    }
    let hasGaps = !scan.gaps.isEmpty || !scan.unreadable.isEmpty
    if hasGaps, isOrderedByIndex, let index = try primaryKeyIndex() {
      // The index contains complete rows, on its own pages.
      let rescue = OrderedScan(table: table, transfer: transfer, source: source)
      if try rescue.run(index: index) { return try losses(transfer, []) }
    }
    if let missing = try IndexedKeys(table: table, source: source, target: target).missing() {
      return try losses(transfer, missing.map { rows($0, isExact: true) })
    }
    let unreadable = scan.unreadable.filter { key in
      !scan.gaps.contains { $0.contains(key.first) }
    }
    let gaps = KeyRange.joined(try emptyParts(of: scan.gaps).map { try plausible($0) })
    let lost =
      try gaps.map { rows($0, isExact: false) }
      + emptyParts(of: KeyRange.joined(unreadable)).map { rows($0, isExact: true) }
    return try losses(transfer, lost.sorted { $0.first < $1.first })
  }

  private func losses(
    _ transfer: RowTransfer, _ rows: [LostRows]
  ) throws(CofferError) -> TableLosses {
    var losses = TableLosses(table: table.schema.name)
    losses.readCount = try carriedCount()
    losses.rows = rows
    losses.values = transfer.lostValues.sorted { ($0.row, $0.column) < ($1.row, $1.column) }
    return losses
  }

  private func rows(_ range: KeyRange, isExact: Bool) -> LostRows {
    LostRows(first: range.first, last: range.last == .max ? nil : range.last, isExact: isExact)
  }

  /// The gaps without the rows that were found in them after all.
  private func emptyParts(of gaps: [KeyRange]) throws(CofferError) -> [KeyRange] {
    guard let rowNumber = table.rowNumber else { return gaps }
    let statement = try target.prepare(
      "SELECT \(rowNumber) FROM \(quotedIdentifier(table.schema.name)) "
        + "WHERE \(rowNumber) >= ?1 AND \(rowNumber) <= ?2 ORDER BY \(rowNumber)")
    var result: [KeyRange] = []
    for gap in gaps {
      var rest: KeyRange? = gap
      statement.bind(gap.first, at: 1)
      statement.bind(gap.last, at: 2)
      while try statement.step() {
        let key = statement.int64(0)
        if let below = rest?.below(key) { result.append(below) }
        rest = rest?.above(key)
      }
      statement.reset()
      if let rest { result.append(rest) }
    }
    return result
  }

  /// A gap without the numbers that no row can have had.
  ///
  /// Before and after a damaged number, more rows would fit than the file can hold. The counter
  /// gives the last row number; without it, the end is unknown.
  private func plausible(_ gap: KeyRange) throws(CofferError) -> KeyRange {
    guard gap.count > (try capacity()) else { return gap }
    let first = gap.first < 1 && gap.last >= 1 ? 1 : gap.first
    guard let greatest = table.maxKey, gap.contains(greatest),
      let known = KeyRange(first, greatest)
    else { return KeyRange(first, .max) ?? gap }
    return known
  }

  /// The maximum number of rows in a file of this size; no row takes less than eight bytes, with its place
  /// in the page.
  private func capacity() throws(CofferError) -> Int {
    let pages = try source.value("PRAGMA page_count")?.integer ?? 0
    let size = try source.value("PRAGMA page_size")?.integer ?? 0
    return Int(clamping: pages.multipliedReportingOverflow(by: size).partialValue / 8)
  }

  private func carriedCount() throws(CofferError) -> Int {
    let count = try target.value("SELECT count(*) FROM \(quotedIdentifier(table.schema.name))")
    return Int(clamping: count?.integer ?? 0)
  }

  /// The index that SQLite made for the primary key.
  private func primaryKeyIndex() throws(CofferError) -> String? {
    do {
      return try source.value(
        "SELECT name FROM pragma_index_list(?1, 'main') WHERE origin = 'pk'",
        [.string(table.schema.name)])?.string
    } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }
}

/// Reads rows in the order of an index, or of a table without row numbers: forward until a page cannot
/// be read, then backward until one cannot.
struct OrderedScan {
  let table: SalvagedTable
  let transfer: RowTransfer
  let source: SQLiteDatabase

  /// Reads all readable rows; rows that were already copied stay unchanged.
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
        // More rows than the pages can hold come from circular pages.
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

/// Reads a table as an export would, to see whether that works.
struct PlannedScan {
  let plan: RowPlan
  let source: SQLiteDatabase
  let checkpoint: () throws -> Void

  /// Reads all rows.
  ///
  /// - Returns: their number; nil if a part is unreadable or rows are out of order.
  /// - Throws: ``CofferError`` for anything but damage; errors of the checkpoint.
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
    var order = KeyOrder(plan)
    while try statement.step() {
      count += 1
      if count & 0xfff == 0 { try checkpoint() }
      guard order.ascends({ statement.integer($0) }) else { return nil }
      guard let column = plan.rowNumberColumn else { continue }
      let key = statement.int64(column)
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

/// Objects of another table: a page that two tables lead to, or that was written in the place of another,
/// can be in order in both.
private struct StrangeObjects {
  let table: SalvagedTable
  let source: SQLiteDatabase

  /// Whether an object has the number of an entity of another table, which has the same object.
  ///
  /// An object that no other table has is only of a wrong entity.
  ///
  /// - Throws: ``CofferError`` for anything but damage.
  func areThere() throws(CofferError) -> Bool {
    if let nameColumn = table.nameColumn {
      let name = quotedIdentifier(table.columns[nameColumn])
      return try source.value(
        "SELECT 1 FROM \(quotedIdentifier(table.schema.name)) NOT INDEXED "
          + "WHERE typeof(\(name)) <> 'text' LIMIT 1") != nil
    }
    guard table.entityColumn != nil, let owners = table.owners, !table.entityNumbers.isEmpty,
      let rowNumber = table.rowNumber
    else { return false }
    let own = table.entityNumbers.sorted().map { "\($0)" }.joined(separator: ", ")
    do {
      let rows = try source.prepare(
        "SELECT \(rowNumber), \(StoredName.entityNumber) FROM \(quotedIdentifier(table.schema.name)) "
          + "NOT INDEXED WHERE \(StoredName.entityNumber) NOT IN (\(own))")
      while try rows.step() {
        guard let other = owners.tables[rows.int64(1)] else { continue }
        let found = try source.value(
          "SELECT 1 FROM \(quotedIdentifier(other)) NOT INDEXED WHERE \(StoredName.primaryKey) = ?1 "
            + "AND \(StoredName.entityNumber) = ?2",
          [.integer(rows.int64(0)), .integer(rows.int64(1))])
        if found != nil { return true }
      }
      return false
    } catch {
      guard error.isDamage || error.code == .sqliteError else { throw error }
      return false
    }
  }
}
