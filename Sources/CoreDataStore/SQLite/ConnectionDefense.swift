internal import CSQLiteConfiguration
internal import GRDB
internal import GRDBSQLite

/// Configures SQLite for a database from a stranger, before it reads a byte of it.
///
/// Source: <https://sqlite.org/security.html>. Sources are opened with all of it; a store that is
/// being built is spared what would forbid building it, see ``StoreConstruction``.
package enum ConnectionDefense {
  /// The maximum size of a statement, from coffer or a schema; a table of 2,000 columns with names
  /// of a thousand bytes stays below it.
  static let longestStatement: Int32 = 16 << 20
  /// The maximum number of columns in a table, and of results of a statement: SQLite's own limit.
  package static let maxColumns: Int32 = 2000
  /// The maximum number of steps in a compiled statement, each of 24 bytes.
  static let longestProgram: Int32 = 10_000_000

  /// The maximum size of a value, and of a row, in statements of users, who can make values of any size with a
  /// few letters.
  static let longestQueryValue: Int32 = 32 << 20

  /// The limits of a connection.
  ///
  /// The limit of values stays unchanged, except for statements of users: a row of a real store may contain
  /// anything that SQLite allows.
  private static let limits: [(category: Int32, value: Int32)] = [
    (SQLITE_LIMIT_SQL_LENGTH, longestStatement),
    (SQLITE_LIMIT_COLUMN, maxColumns),
    (SQLITE_LIMIT_EXPR_DEPTH, 200),
    (SQLITE_LIMIT_COMPOUND_SELECT, 10),
    (SQLITE_LIMIT_VDBE_OP, longestProgram),
    (SQLITE_LIMIT_FUNCTION_ARG, 100),
    (SQLITE_LIMIT_ATTACHED, 0),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
    (SQLITE_LIMIT_VARIABLE_NUMBER, 2 * maxColumns),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// Switched off on every connection.
  private static let forbidden: [Int32] = [
    SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
    SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER,
  ]

  /// Functions that a few letters can keep busy for minutes, whatever the longest value is, and that
  /// a schema may call because they only compute.
  private static let endless = ["printf", "format"]

  /// Functions whose time grows with the square of their arguments, and that SQLite would call to check
  /// a store; a store that is being built is its maker's, or has passed ``SchemaPolicy``.
  private static let quadratic = ["instr", "ltrim", "replace", "rtrim", "trim", "unhex"]

  /// Prepares a connection before its first statement.
  ///
  /// - Throws: GRDB's error if this SQLite refuses a setting; then nothing is opened.
  static func apply(
    to database: Database, access: SQLiteConnection.Access, allowsSlowFunctions: Bool
  ) throws {
    for option in forbidden { try turn(option, isOn: false, database) }
    for (category, value) in limits {
      unsafe sqlite3_limit(database.sqliteConnection, category, value)
    }
    if allowsSlowFunctions {
      unsafe sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, longestQueryValue)
    }
    let slow = allowsSlowFunctions ? [] : endless + (access == .writing ? [] : quadratic)
    for name in slow { try forbid(name, database) }
    database.stopStatementsOfCancelledTasks()
    // A mapped file that gets shorter would end the process.
    try database.execute(sql: "PRAGMA mmap_size = 0")
    // Each cell is checked when its page is read, not after a failure.
    try database.execute(sql: "PRAGMA cell_size_check = ON")
    switch access {
    case .reading, .recovering: try turn(SQLITE_DBCONFIG_DEFENSIVE, isOn: true, database)
    case .salvaging:
      // Without it SQLite gives up on a schema with one damaged page. Defensive mode forbids it;
      // here it would protect a private copy, and statements cannot write.
      try database.execute(sql: "PRAGMA writable_schema = ON")
    case .writing: break
    }
  }

  /// Switches SQLite's defensive mode, which forbids writing to the schema and to shadow tables, and
  /// doing without a journal.
  static func setDefensive(_ isOn: Bool, _ database: Database) throws {
    try turn(SQLITE_DBCONFIG_DEFENSIVE, isOn: isOn, database)
  }

  /// Replaces a function with an error.
  ///
  /// A schema that mentions it can still be read.
  private static func forbid(_ function: String, _ database: Database) throws {
    let code = unsafe sqlite3_create_function_v2(
      database.sqliteConnection, function, -1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, _ in unsafe sqlite3_result_error(context, "a function that is not called", -1)
      },
      nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private static func turn(_ option: Int32, isOn: Bool, _ database: Database) throws {
    var state: Int32 = -1
    let code = unsafe coffer_sqlite_switch(database.sqliteConnection, option, isOn ? 1 : 0, &state)
    guard code == SQLITE_OK, state == (isOn ? 1 : 0) else {
      throw DatabaseError(
        resultCode: code == SQLITE_OK ? .SQLITE_ERROR : ResultCode(rawValue: code),
        message: "this version of SQLite has no setting \(option)")
    }
  }
}
