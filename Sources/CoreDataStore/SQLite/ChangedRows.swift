package import CoreDataModel
internal import GRDBSQLite
internal import POSIX

/// The numbers of the rows that may have changed: rows that SQLite reports as inserted, changed or
/// removed by a connection's statements, or rows that the caller has found.
///
/// They are in a temporary database, so memory stays bounded for any number of them. SQLite does
/// not report tables without row numbers, its own tables, rows that `OR REPLACE` removes, rows that
/// are removed without a condition, and the old number of a row that gets a new one: a connection
/// that is followed must do none of this.
@safe package final class ChangedRows {
  private let connection: SQLiteConnection
  /// The numbers of tables, by their names.
  private var tables: [Name: Int64] = [:]
  /// The latest reports of SQLite that are not yet in the database: numbers of tables and rows.
  private var waiting: [(table: Int64, row: Int64)] = []
  /// The number of rows of each table that each of two states has, if they were counted.
  private var counts: [Name: (before: Int, after: Int)] = [:]
  /// The first error, because SQLite's callback cannot return one.
  private var failure: CofferError?

  /// The number of rows that are written at once.
  private static let batch = 1000
  /// The table in the temporary database, and in those that it is copied to.
  private static let table = "temp.coffer_changed"
  private static let creation =
    "CREATE TABLE \(table) (coffer_t INTEGER, coffer_k INTEGER, "
    + "PRIMARY KEY (coffer_t, coffer_k)) WITHOUT ROWID"
  private static let insertion = "INSERT OR IGNORE INTO \(table) VALUES (?1, ?2)"

  /// Begins without rows.
  package init() throws(CofferError) {
    connection = try .temporary()
    try connection.use { database throws(CofferError) in try database.run(Self.creation) }
  }

  // MARK: Following

  /// Records every row that statements of a connection change, until ``unfollow(_:)``.
  func follow(_ database: SQLiteDatabase) {
    _ = unsafe sqlite3_update_hook(
      database.handle,
      { context, _, schema, table, row in
        guard let context = unsafe context, let schema = unsafe schema, let table = unsafe table,
          unsafe strcmp(schema, "main") == 0
        else { return }
        let rows = unsafe Unmanaged<ChangedRows>.fromOpaque(context).takeUnretainedValue()
        unsafe rows.add(String(cString: table), row)
      }, unsafe Unmanaged.passUnretained(self).toOpaque())
  }

  /// Stops recording rows; throws an error if not all of them could be noted.
  func unfollow(_ database: SQLiteDatabase) throws(CofferError) {
    _ = unsafe sqlite3_update_hook(database.handle, nil, nil)
    try finish()
  }

  /// Ends the noting of rows; throws an error if not all of them could be noted.
  package func finish() throws(CofferError) {
    write()
    if let failure { throw failure }
  }

  /// Records a row of a table.
  package func add(_ name: String, _ row: Int64) {
    let number: Int64
    let name = Name(name)
    if let known = tables[name] {
      number = known
    } else {
      number = Int64(tables.count)
      tables[name] = number
    }
    if let last = waiting.last, last == (number, row) { return }
    waiting.append((number, row))
    if waiting.count == Self.batch { write() }
  }

  /// Counts rows of a table in one of two states.
  package func count(_ number: Int, of name: String, isBefore: Bool) {
    if isBefore {
      counts[Name(name), default: (0, 0)].before += number
    } else {
      counts[Name(name), default: (0, 0)].after += number
    }
  }

  /// The number of rows of a table that were counted in each of two states.
  package func count(of name: String) -> (before: Int, after: Int) {
    counts[Name(name)] ?? (0, 0)
  }

  private func write() {
    do throws(CofferError) {
      try connection.use { database throws(CofferError) in
        let statement = try database.prepare(Self.insertion)
        for (table, row) in waiting {
          statement.bind(table, at: 1)
          statement.bind(row, at: 2)
          try statement.run()
        }
      }
    } catch {
      failure = failure ?? error
    }
    waiting.removeAll(keepingCapacity: true)
  }

  // MARK: Reading

  /// Gives a reading connection the rows, by the numbers of the same tables, replacing the rows of earlier calls.
  package func copy(to database: SQLiteDatabase) throws {
    // The connection may change this table.
    try database.run("PRAGMA query_only = OFF")
    defer { try? database.run("PRAGMA query_only = ON") }
    // They are written and read in the order of their numbers.
    try database.run("PRAGMA temp.cache_size = -250")
    try database.run("DROP TABLE IF EXISTS \(Self.table)")
    try database.run(Self.creation)
    let insertion = try database.prepare(Self.insertion)
    var last = [SQLiteValue](repeating: .integer(.min), count: 2)
    while true {
      try Task<Never, Never>.checkCancellation()
      let rows = try connection.use { own throws(CofferError) in
        try own.rows(
          "SELECT coffer_t, coffer_k FROM \(Self.table) WHERE (coffer_t, coffer_k) > (?1, ?2) "
            + "ORDER BY coffer_t, coffer_k LIMIT \(Self.batch)", last)
      }
      guard let end = rows.last else { break }
      last = end
      for row in rows {
        insertion.bind(row[0], at: 1)
        insertion.bind(row[1], at: 2)
        try insertion.run()
      }
    }
  }

  /// Limits the reading of a table that SQLite reports on to the rows that may have changed.
  ///
  /// - Returns: the plan for these, for a connection that knows them.
  package func limited(_ plan: RowPlan) -> RowPlan {
    plan.limited(
      toNumbersIn: Self.table, "coffer_k", where: "coffer_t = \(tables[Name(plan.table)] ?? -1)")
  }
}
