package import CoreDataModel

/// The statements that change the rows of one table.
///
/// A row that conflicts with another one, which may itself be changed or removed later, waits in a
/// separate table until all others are changed, so that two objects can exchange values that must
/// be unique.
package final class TableEditor {
  private static let waiting = "temp.coffer_waiting"

  private let plan: RowPlan
  private let hasRowNumbers: Bool
  private let database: SQLiteDatabase
  private let condition: String
  private var insertion: PreparedStatement?
  private var deletion: PreparedStatement?
  private var updates: [[Int]: PreparedStatement] = [:]
  private var hasWaitingRows = false
  /// The names of the columns of an index; nil if it contains computed values.
  private let indexedColumns: Set<SchemaName>?

  /// Prepares to change a table.
  ///
  /// - Parameters:
  ///   - plan: how its rows are read.
  ///   - hasRowNumbers: whether rows have a number that no column shows.
  ///   - database: the database of an editor.
  /// - Throws: ``CofferError`` with `refused` if nothing identifies its rows.
  package init(
    _ plan: RowPlan, hasRowNumbers: Bool, in database: SQLiteDatabase
  ) throws(CofferError) {
    guard let condition = plan.condition(from: 1) else {
      throw CofferError(
        .refused, path: database.place, item: "table \(plan.table)",
        detail: "nothing identifies its rows, so they cannot be changed one by one")
    }
    self.plan = plan
    self.hasRowNumbers = hasRowNumbers
    self.database = database
    self.condition = condition
    let names = try database.rows(
      "SELECT x.name FROM pragma_index_list(?1) AS i, pragma_index_xinfo(i.name) AS x "
        + "WHERE x.cid != -1", [.string(plan.table)]
    ).map { $0[0].string }
    indexedColumns = names.contains(nil) ? nil : Set(names.compactMap { $0.map(SchemaName.init) })
  }

  /// The insertion of a row: a parameter for each column, and one for a row number that no column
  /// shows.
  package func insertionOfRow() throws(CofferError) -> PreparedStatement {
    if let insertion { return insertion }
    let made = PreparedStatement(
      try database.prepareInsertion(
        table: plan.table, columns: plan.columns, hasRowNumbers: hasRowNumbers))
    insertion = made
    return made
  }

  /// The deletion of a row: a parameter for each part of its key.
  package func deletionOfRow() throws(CofferError) -> PreparedStatement {
    if let deletion { return deletion }
    let made = PreparedStatement(
      try database.prepare("DELETE FROM \(quotedIdentifier(plan.table)) WHERE \(condition)"))
    deletion = made
    return made
  }

  /// The change of some columns of a row: a parameter for each of them, then one for each part of the
  /// key.
  package func updateOfRow(_ columns: [Int]) throws(CofferError) -> PreparedStatement {
    if let update = updates[columns] { return update }
    guard let condition = plan.condition(from: columns.count + 1) else {
      preconditionFailure("a key was required")
    }
    let values = columns.enumerated().map {
      "\(quotedIdentifier(plan.columns[$1])) = ?\($0 + 1)"
    }
    let made = PreparedStatement(
      try database.prepare(
        "UPDATE \(quotedIdentifier(plan.table)) SET \(values.joined(separator: ", ")) "
          + "WHERE \(condition)"))
    // An app changes the same few properties of many objects; other uses do not need kept statements.
    if updates.count >= 64 { updates.removeAll() }
    updates[columns] = made
    return made
  }

  /// Whether SQLite can write a blob of a column piece by piece, which it cannot where an index has it.
  package func canWritePieces(of column: Int) -> Bool {
    guard plan.rowNumberColumn != nil, let indexedColumns else { return false }
    return !indexedColumns.contains(SchemaName(plan.columns[column]))
  }

  /// Writes bytes into a blob of a row; the range must be within the blob.
  package func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, to column: Int, ofRow row: Int64
  ) throws(CofferError) {
    let blob = try database.blob(
      table: plan.table, column: plan.columns[column], row: row, isWriting: true)
    unsafe try blob.write(bytes, at: offset)
  }

  // MARK: Rows that wait

  /// The insertion of a row that has to wait, with the parameters of ``insertionOfRow()``.
  package func insertionOfWaitingRow() throws(CofferError) -> PreparedStatement {
    try makeWaitingTable()
    let count = waitingColumns.count
    let parameters = (1...count).map { "?\($0)" }.joined(separator: ", ")
    return PreparedStatement(
      try database.prepare("INSERT INTO \(Self.waiting) VALUES (\(parameters))"))
  }

  /// Takes a row out of the table to let it wait: a parameter for each part of the key.
  package func movementOfRow() throws(CofferError) -> PreparedStatement {
    try makeWaitingTable()
    return PreparedStatement(
      try database.prepare(
        "INSERT INTO \(Self.waiting) SELECT \(storedColumns) FROM "
          + "\(quotedIdentifier(plan.table)) WHERE \(condition)"))
  }

  /// The change of some columns of the row that waits since last: a parameter for each of them.
  package func updateOfWaitingRow(_ columns: [Int]) throws(CofferError) -> PreparedStatement {
    let values = columns.enumerated().map { "c\($1) = ?\($0 + 1)" }
    return PreparedStatement(
      try database.prepare(
        "UPDATE \(Self.waiting) SET \(values.joined(separator: ", ")) "
          + "WHERE rowid = (SELECT max(rowid) FROM \(Self.waiting))"))
  }

  /// Inserts the rows that wait.
  ///
  /// - Throws: ``CofferError`` mapped from SQLite's result code, if one of them conflicts with another row in the end.
  package func finish() throws(CofferError) {
    guard hasWaitingRows else { return }
    hasWaitingRows = false
    try database.run(
      "INSERT INTO \(quotedIdentifier(plan.table)) (\(storedColumns)) "
        + "SELECT \(waitingColumns.joined(separator: ", ")) FROM \(Self.waiting)")
    try database.run("DROP TABLE \(Self.waiting)")
  }

  private func makeWaitingTable() throws(CofferError) {
    guard !hasWaitingRows else { return }
    // Columns without types keep each value unchanged.
    try database.run("CREATE TABLE \(Self.waiting) (\(waitingColumns.joined(separator: ", ")))")
    hasWaitingRows = true
  }

  private var waitingColumns: [String] {
    (0..<(plan.columns.count + (hasRowNumbers ? 1 : 0))).map { "c\($0)" }
  }

  private var storedColumns: String {
    var names = plan.columns.map(quotedIdentifier)
    if hasRowNumbers { names.append(RowPlan.hiddenRowNumber(besides: plan.columns)) }
    return names.joined(separator: ", ")
  }
}
