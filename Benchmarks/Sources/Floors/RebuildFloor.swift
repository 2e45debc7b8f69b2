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
/// The rows come from the other store, within SQLite: nothing is decoded, bound, checked or hashed.
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
  func insertRows() throws(FloorError) {
    for (name, sql) in try pairs("type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'") {
      try run(sql)
      // Without the plus, SQLite would copy whole records, which no archive has.
      let columns = try pairs(columnsOf: name).map { "+\($0.0)" }.joined(separator: ", ")
      let table = Self.quoted(name, "\"")
      try run("INSERT INTO main.\(table) SELECT \(columns) FROM source.\(table)")
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
    var statement: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK else {
      throw failure
    }
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
