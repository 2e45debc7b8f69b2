internal import CSQLite
internal import Dispatch
internal import Synchronization

/// Has SQLite check a store, and reads its values, as a verification does before it checks anything itself.
struct CheckFloor {
  let path: String

  /// Runs one of SQLite's checks.
  ///
  /// - Throws: ``FloorError`` unless the store passes it.
  func check(_ pragma: String) throws(FloorError) {
    let database = try CheckedDatabase(path)
    guard try database.firstText("PRAGMA \(pragma)") == "ok" else {
      throw FloorError(text: "floors: \(path): does not pass \(pragma)")
    }
  }

  /// Reads every value of every table, with its type and its first byte.
  func scan() throws(FloorError) {
    let database = try CheckedDatabase(path)
    for table in try database.tables() { try unsafe database.read(table) }
  }

  /// Runs the check of the pages and the scan side by side, each with a connection of its own.
  func checkBesideScan() throws(FloorError) {
    let failure = Mutex<FloorError?>(nil)
    DispatchQueue.concurrentPerform(iterations: 2) { number in
      do throws(FloorError) {
        if number == 0 { try scan() } else { try check("quick_check") }
      } catch {
        failure.withLock { $0 = error }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

/// A connection that only reads.
@safe final class CheckedDatabase {
  private let database: OpaquePointer

  init(_ path: String) throws(FloorError) {
    var handle: OpaquePointer?
    let status = unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil)
    guard status == SQLITE_OK, let handle = unsafe handle else {
      throw FloorError(text: "floors: \(path): cannot be opened")
    }
    unsafe database = handle
  }

  deinit { unsafe _ = sqlite3_close_v2(database) }

  /// The quoted names of the tables that have rows of their own.
  func tables() throws(FloorError) -> [String] {
    let query = """
      SELECT '"' || replace(name, '"', '""') || '"' FROM sqlite_master WHERE type = 'table'
      AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND sql NOT LIKE 'CREATE VIRTUAL%'
      """
    var names: [String] = []
    try unsafe forEachRow(query) { statement in
      if let text = unsafe sqlite3_column_text(statement, 0) {
        unsafe names.append(String(cString: text))
      }
    }
    return names
  }

  /// The first text of the first row; nil if there is none.
  func firstText(_ query: String) throws(FloorError) -> String? {
    var first: String?
    try unsafe forEachRow(query) { statement in
      guard first == nil, let text = unsafe sqlite3_column_text(statement, 0) else { return }
      first = unsafe String(cString: text)
    }
    return first
  }

  /// Reads every value of the rows of a table, or of those that match a condition.
  func read(
    _ table: String, where condition: String = "1",
    blob: (UnsafeRawBufferPointer) -> Void = { _ in }
  ) throws(FloorError) {
    try unsafe forEachRow("SELECT * FROM \(table) WHERE \(condition)") { statement in
      for column in 0..<(unsafe sqlite3_column_count(statement)) {
        let value = unsafe sqlite3_column_value(statement, column)
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER: unsafe _ = sqlite3_value_int64(value)
        case SQLITE_FLOAT: unsafe _ = sqlite3_value_double(value)
        case SQLITE_TEXT: unsafe _ = (sqlite3_value_text(value), sqlite3_value_bytes(value))
        case SQLITE_BLOB:
          let start = unsafe sqlite3_value_blob(value)
          unsafe blob(
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        default: break
        }
      }
    }
  }

  private func forEachRow(_ query: String, _ body: (OpaquePointer) -> Void) throws(FloorError) {
    var prepared: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(database, query, -1, &prepared, nil) == SQLITE_OK,
      let statement = unsafe prepared
    else { throw failure }
    defer { unsafe _ = sqlite3_finalize(statement) }
    var status = unsafe sqlite3_step(statement)
    while status == SQLITE_ROW {
      unsafe body(statement)
      status = unsafe sqlite3_step(statement)
    }
    guard status == SQLITE_DONE else { throw failure }
  }

  private var failure: FloorError {
    unsafe FloorError(text: "floors: \(String(cString: sqlite3_errmsg(database)))")
  }
}
