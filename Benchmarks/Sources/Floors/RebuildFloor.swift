internal import CSQLite

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Writes a store as an import does, in one transaction without a journal, rows before indexes.
///
/// The rows come from the other store: nothing is decoded, checked or hashed.
@safe final class RebuildFloor {
  private let database: OpaquePointer
  private let target: String

  /// Creates the new database with the tables of the store.
  init(source: String, target: String) throws(FloorError) {
    self.target = target
    guard unsafe access(target, F_OK) != 0 else {
      throw FloorError(text: "floors: \(target): exists")
    }
    var handle: OpaquePointer?
    guard unsafe sqlite3_open(target, &handle) == SQLITE_OK, let handle = unsafe handle else {
      throw FloorError(text: "floors: \(target): cannot be created")
    }
    unsafe database = handle
    try run("PRAGMA journal_mode = OFF")
    try run("PRAGMA synchronous = OFF")
    try run("PRAGMA locking_mode = EXCLUSIVE")
    try run("ATTACH \(Self.quoted(source, "'")) AS source")
    try run("BEGIN IMMEDIATE")
  }

  deinit { unsafe _ = sqlite3_close_v2(database) }

  /// Creates the tables and inserts all rows.
  ///
  /// - Parameter binding: whether each row is read and its values bound, as if they came from outside;
  ///   otherwise, the rows stay within SQLite.
  /// - Throws: ``FloorError`` if SQLite reports an error.
  func insertRows(binding: Bool) throws(FloorError) {
    for (name, sql) in try pairs("type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'") {
      try run(sql)
      // Without the plus, SQLite would copy whole records, which no archive has.
      let columns = try pairs(columnsOf: name).map { "+\($0.0)" }
      let table = Self.quoted(name, "\"")
      let rows = "SELECT \(columns.joined(separator: ", ")) FROM source.\(table)"
      if binding {
        try bind(rows, to: table, columns.count)
      } else {
        try run("INSERT INTO main.\(table) \(rows)")
      }
    }
  }

  private func bind(_ rows: String, to table: String, _ width: Int) throws(FloorError) {
    let source = try unsafe prepare(rows)
    defer { unsafe _ = sqlite3_finalize(source) }
    let places = Array(repeating: "?", count: width).joined(separator: ", ")
    let insertion = try unsafe prepare("INSERT INTO main.\(table) VALUES (\(places))")
    defer { unsafe _ = sqlite3_finalize(insertion) }
    while unsafe sqlite3_step(source) == SQLITE_ROW {
      for column in 0..<Int32(width) {
        unsafe sqlite3_bind_value(insertion, column + 1, sqlite3_column_value(source, column))
      }
      guard unsafe sqlite3_step(insertion) == SQLITE_DONE else { throw failure }
      unsafe sqlite3_reset(insertion)
    }
  }

  /// Creates the indexes and ends the transaction.
  func createIndexes() throws(FloorError) {
    // As many as an import lets SQLite sort at once.
    try run("PRAGMA cache_size = -1000")
    for (_, sql) in try pairs("type = 'index'") { try run(sql) }
    try run("COMMIT")
  }

  /// Waits for the disk.
  func synchronize() throws(FloorError) {
    let file = unsafe open(target, O_RDWR)
    guard file >= 0, fsync(file) == 0 else {
      throw FloorError(text: "floors: \(target): cannot be synchronized")
    }
    close(file)
  }

  /// The names and statements of a kind in the schema of the store.
  private func pairs(_ condition: String) throws(FloorError) -> [(String, String)] {
    try rows(
      "SELECT name, sql FROM source.sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite!_%' "
        + "ESCAPE '!' AND \(condition) ORDER BY rowid")
  }

  /// The quoted names of the columns of a table, and their types.
  private func pairs(columnsOf table: String) throws(FloorError) -> [(String, String)] {
    try rows(
      "SELECT name, type FROM pragma_table_info(\(Self.quoted(table, "'")), 'source')"
    ).map { (Self.quoted($0.0, "\""), $0.1) }
  }

  private func rows(_ query: String) throws(FloorError) -> [(String, String)] {
    let statement = try unsafe prepare(query)
    defer { unsafe _ = sqlite3_finalize(statement) }
    var found: [(String, String)] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      guard let first = unsafe sqlite3_column_text(statement, 0),
        let second = unsafe sqlite3_column_text(statement, 1)
      else { continue }
      unsafe found.append((String(cString: first), String(cString: second)))
    }
    return found
  }

  private func prepare(_ sql: String) throws(FloorError) -> OpaquePointer {
    var statement: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK,
      let statement = unsafe statement
    else { throw failure }
    return unsafe statement
  }

  private func run(_ sql: String) throws(FloorError) {
    guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  private var failure: FloorError {
    unsafe FloorError(text: "floors: \(String(cString: sqlite3_errmsg(database)))")
  }

  private static func quoted(_ name: String, _ quote: String) -> String {
    quote
      + name.split(separator: quote, omittingEmptySubsequences: false)
      .joined(separator: quote + quote) + quote
  }
}
