internal import CSQLite

/// The rows of a database, each read once by the plainest means there is.
@safe final class Scan {
  private let database: OpaquePointer
  private(set) var rowCount = 0
  private(set) var cellCount = 0
  private(set) var textByteCount = 0
  private(set) var blobByteCount = 0
  /// What keeps the reading of numbers from being left out.
  private(set) var mixture: UInt64 = 0

  /// Opens a database for reading.
  ///
  /// A connection that may not write would leave a log behind, and the next program would read the store as one in
  /// use.
  init?(_ path: String) {
    var handle: OpaquePointer?
    let status = unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
    guard status == SQLITE_OK, let handle = unsafe handle else { return nil }
    unsafe database = handle
  }

  deinit { unsafe _ = sqlite3_close_v2(database) }

  /// What SQLite says about its last error.
  var lastMessage: String { unsafe String(cString: sqlite3_errmsg(database)) }

  /// The names of all tables that have rows of their own, in the order of the schema.
  func tables() -> [String] {
    let query = """
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
      AND sql NOT LIKE 'CREATE VIRTUAL%'
      """
    guard let statement = unsafe prepare(query) else { return [] }
    defer { unsafe _ = sqlite3_finalize(statement) }
    var names: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      if let text = unsafe sqlite3_column_text(statement, 0) {
        unsafe names.append(String(cString: text))
      }
    }
    return names
  }

  /// Reads every column of every row; false after an error.
  func read(_ table: String) -> Bool {
    let quoted = table.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"")
    guard let statement = unsafe prepare("SELECT * FROM \"\(quoted)\"") else { return false }
    defer { unsafe _ = sqlite3_finalize(statement) }
    let columnCount = unsafe sqlite3_column_count(statement)
    var status = unsafe sqlite3_step(statement)
    while status == SQLITE_ROW {
      unsafe readRow(statement, columnCount)
      status = unsafe sqlite3_step(statement)
    }
    return status == SQLITE_DONE
  }

  private func readRow(_ statement: OpaquePointer, _ columnCount: Int32) {
    rowCount += 1
    cellCount += Int(columnCount)
    var column: Int32 = 0
    while column < columnCount {
      switch unsafe sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER:
        mixture ^= UInt64(bitPattern: unsafe sqlite3_column_int64(statement, column))
      case SQLITE_FLOAT:
        mixture ^= unsafe sqlite3_column_double(statement, column).bitPattern
      case SQLITE_TEXT:
        if let start = unsafe sqlite3_column_text(statement, column) {
          unsafe mixture ^= UInt64(start.pointee)
        }
        textByteCount += unsafe Int(sqlite3_column_bytes(statement, column))
      case SQLITE_BLOB:
        if let start = unsafe sqlite3_column_blob(statement, column) {
          unsafe mixture ^= UInt64(start.load(as: UInt8.self))
        }
        blobByteCount += unsafe Int(sqlite3_column_bytes(statement, column))
      default: break
      }
      column += 1
    }
  }

  private func prepare(_ query: String) -> OpaquePointer? {
    var statement: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK else {
      return nil
    }
    return unsafe statement
  }
}
