internal import GRDBSQLite

/// A compiled statement of a ``GeneratorDatabase``; parameters are counted from 1.
///
/// Bytes are lent, not copied, except by ``bind(_:at:)-(StoreValue,_)``.
@safe package final class GeneratorStatement {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Runs the statement, and makes it ready for the next time with no values bound.
  @inline(__always) package func run() throws {
    let code = unsafe sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      let database = unsafe sqlite3_db_handle(handle)
      let message = unsafe String(cString: sqlite3_errmsg(database))
      unsafe sqlite3_reset(handle)
      throw GeneratorError(message)
    }
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  /// Binds an integer.
  package func bind(_ value: Int, at parameter: Int) {
    unsafe sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: parameter), Int64(value))
  }

  /// Binds a floating point number.
  package func bind(_ value: Double, at parameter: Int) {
    unsafe sqlite3_bind_double(handle, Int32(truncatingIfNeeded: parameter), value)
  }

  /// Binds a text that stays where it is until the statement has run.
  package func bind(lentText bytes: UnsafeRawBufferPointer, at parameter: Int) {
    guard let start = bytes.baseAddress else { return }
    unsafe sqlite3_bind_text64(
      handle, Int32(truncatingIfNeeded: parameter), start.assumingMemoryBound(to: CChar.self),
      UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
  }

  /// Binds a blob that stays where it is until the statement has run.
  package func bind(lentBlob bytes: UnsafeRawBufferPointer, at parameter: Int) {
    guard let start = bytes.baseAddress else { return }
    unsafe sqlite3_bind_blob64(
      handle, Int32(truncatingIfNeeded: parameter), start, UInt64(bytes.count), nil)
  }

  /// Binds a copy of a value.
  package func bind(_ value: StoreValue, at parameter: Int) {
    switch value {
    case .null: break
    case .integer(let value):
      unsafe sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: parameter), value)
    case .real(let value): bind(value, at: parameter)
    case .text(let bytes):
      unsafe withBytes(bytes) { start, count in
        _ = unsafe sqlite3_bind_text64(
          handle, Int32(truncatingIfNeeded: parameter), start.assumingMemoryBound(to: CChar.self),
          count, copied, UInt8(SQLITE_UTF8))
      }
    case .blob(let bytes):
      unsafe withBytes(bytes) { start, count in
        _ = unsafe sqlite3_bind_blob64(
          handle, Int32(truncatingIfNeeded: parameter), start, count, copied)
      }
    }
  }

  /// All rows of the result.
  func rows() throws -> [[StoreValue]] {
    var rows: [[StoreValue]] = []
    let count = unsafe sqlite3_column_count(handle)
    while unsafe sqlite3_step(handle) == SQLITE_ROW { rows.append((0..<count).map(value)) }
    guard unsafe sqlite3_reset(handle) == SQLITE_OK else {
      throw GeneratorError(unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
    }
    return rows
  }

  private func value(_ column: Int32) -> StoreValue {
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      let start = unsafe UnsafeRawPointer(sqlite3_column_text(handle, column))
      return unsafe .text(bytes(start, column))
    case SQLITE_BLOB: return unsafe .blob(bytes(sqlite3_column_blob(handle, column), column))
    default: return .null
    }
  }

  private func bytes(_ start: UnsafeRawPointer?, _ column: Int32) -> [UInt8] {
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe start.map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
  }

  /// SQLITE_TRANSIENT, which C spells as a cast that Swift cannot import: SQLite copies the bytes.
  private var copied: sqlite3_destructor_type {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  /// Lends the bytes with an address even when there are none, as SQLite takes nil for NULL.
  private func withBytes(_ bytes: [UInt8], _ body: (UnsafeRawPointer, UInt64) -> Void) {
    unsafe (bytes + [0]).withUnsafeBytes { buffer in
      if let start = buffer.baseAddress { unsafe body(start, UInt64(bytes.count)) }
    }
  }
}
