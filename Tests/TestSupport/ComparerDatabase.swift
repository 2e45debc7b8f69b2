internal import Foundation
internal import GRDBSQLite
internal import StoreGenerator

/// A connection of ``StoreComparer`` to its private copy of a store, straight on SQLite.
@safe final class ComparerDatabase {
  private let handle: OpaquePointer

  init(path: String) throws {
    var handle: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened = unsafe handle, code == SQLITE_OK else {
      unsafe sqlite3_close_v2(handle)
      throw GeneratorError("\(path): cannot be opened (SQLite result \(code))")
    }
    unsafe self.handle = opened
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Compiles a statement.
  func prepare(_ sql: String) throws -> ComparerStatement {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard let compiled = unsafe statement, code == SQLITE_OK else {
      throw GeneratorError("\(unsafe String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
    return unsafe ComparerStatement(compiled)
  }

  /// All rows of a small query as texts; NULL is nil.
  func texts(_ sql: String) throws -> [[String?]] {
    let statement = try prepare(sql)
    var rows: [[String?]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.text($0) })
    }
    return rows
  }

  /// Whether the file is intact, in the words of SQLite; `ok` when it is.
  func integrity() throws -> String {
    try texts("PRAGMA integrity_check(3)").map { $0.first.flatMap(\.self) ?? "" }
      .joined(separator: "; ")
  }
}

/// A statement of a ``ComparerDatabase``.
@safe final class ComparerStatement {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe sqlite3_finalize(handle) }

  /// The number of columns of the result.
  var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

  /// Goes to the next row; false behind the last.
  func step() throws -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let message = unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
      throw GeneratorError("\(message): \(unsafe String(cString: sqlite3_sql(handle)))")
    }
  }

  /// A column of the current row as text, or nil.
  func text(_ column: Int32) -> String? {
    unsafe sqlite3_column_text(handle, column).map { unsafe String(cString: $0) }
  }

  /// What differs between a column of two current rows: the storage class or the bits.
  ///
  /// - Returns: a few words without the values, or nil where both are the same.
  func difference(from other: ComparerStatement, _ column: Int32) -> String? {
    let classes = unsafe (
      sqlite3_column_type(handle, column), sqlite3_column_type(other.handle, column)
    )
    guard classes.0 == classes.1 else {
      return "storage class \(Self.name(classes.0)) became \(Self.name(classes.1))"
    }
    switch classes.0 {
    case SQLITE_INTEGER:
      let same =
        unsafe sqlite3_column_int64(handle, column) == sqlite3_column_int64(other.handle, column)
      return same ? nil : "another integer"
    case SQLITE_FLOAT:
      let values = unsafe (
        sqlite3_column_double(handle, column), sqlite3_column_double(other.handle, column)
      )
      return values.0.bitPattern == values.1.bitPattern ? nil : "another bit pattern"
    case SQLITE_TEXT, SQLITE_BLOB:
      return bytesDiffer(other, column, isText: classes.0 == SQLITE_TEXT)
    default: return nil
    }
  }

  private func bytesDiffer(
    _ other: ComparerStatement, _ column: Int32, isText: Bool
  ) -> String? {
    let mine = unsafe bytes(column, isText: isText)
    let others = unsafe other.bytes(column, isText: isText)
    guard mine.count == others.count else {
      return "\(mine.count) bytes became \(others.count)"
    }
    guard let start = mine.baseAddress, let other = others.baseAddress else { return nil }
    return unsafe memcmp(start, other, mine.count) == 0 ? nil : "other bytes"
  }

  private func bytes(_ column: Int32, isText: Bool) -> UnsafeRawBufferPointer {
    let start =
      unsafe isText
      ? UnsafeRawPointer(sqlite3_column_text(handle, column))
      : sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe UnsafeRawBufferPointer(start: count == 0 ? nil : start, count: count)
  }

  private static func name(_ storage: Int32) -> String {
    switch storage {
    case SQLITE_INTEGER: "integer"
    case SQLITE_FLOAT: "real"
    case SQLITE_TEXT: "text"
    case SQLITE_BLOB: "blob"
    default: "null"
    }
  }
}
