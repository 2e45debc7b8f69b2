internal import GRDBSQLite

/// A connection to a database that is being made or changed for a test.
///
/// Straight on SQLite, without the product's code; errors are texts.
@safe package final class GeneratorDatabase {
  private let handle: OpaquePointer

  /// Opens a database, or creates it.
  package init(path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard let opened = unsafe handle, code == SQLITE_OK else {
      unsafe sqlite3_close_v2(handle)
      throw GeneratorError("\(path): cannot be opened (SQLite result \(code))")
    }
    unsafe self.handle = opened
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Runs statements without result, separated by semicolons.
  package func run(_ sql: String) throws {
    guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw error("while running \(sql)")
    }
  }

  /// Compiles a statement.
  package func prepare(_ sql: String) throws -> GeneratorStatement {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard let compiled = unsafe statement, code == SQLITE_OK else {
      throw error("while compiling \(sql)")
    }
    return unsafe GeneratorStatement(compiled)
  }

  /// Runs one statement with values for its parameters.
  package func run(_ sql: String, _ values: [StoreValue]) throws {
    let statement = try prepare(sql)
    for (index, value) in values.enumerated() { statement.bind(value, at: index + 1) }
    try statement.run()
  }

  /// The rows of a small query.
  package func rows(_ sql: String, _ values: [StoreValue] = []) throws -> [[StoreValue]] {
    let statement = try prepare(sql)
    for (index, value) in values.enumerated() { statement.bind(value, at: index + 1) }
    return try statement.rows()
  }

  /// The integer in the first column of the first row; nil without a row or for another value.
  package func integer(_ sql: String, _ values: [StoreValue] = []) throws -> Int64? {
    if case .integer(let value)? = try rows(sql, values).first?.first { value } else { nil }
  }

  /// Registers functions without effect under the names that triggers of Core Data call.
  package func registerCoreDataFunctions() throws {
    let names = [
      "NSCoreDataTriggerUpdateAffectedObjectValue",
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    ]
    for name in names {
      let code = unsafe sqlite3_create_function_v2(
        handle, name, 5, SQLITE_UTF8, nil,
        { context, _, _ in unsafe sqlite3_result_null(context) }, nil, nil, nil)
      guard code == SQLITE_OK else { throw error("while registering \(name)") }
    }
  }

  private func error(_ doing: String) -> GeneratorError {
    GeneratorError("\(unsafe String(cString: sqlite3_errmsg(handle))) \(doing)")
  }
}
