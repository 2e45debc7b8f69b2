package import CoreDataModel
internal import GRDB
internal import GRDBSQLite

/// A compiled SQL statement, stepped and read through SQLite's own functions, so that a row costs
/// only its values.
///
/// GRDB compiles, owns and finalizes it. Borrowed bytes are valid until the next ``step()``,
/// ``reset()`` or the end of the statement. Do not use it outside the block of its connection.
@safe package struct SQLiteStatement: ~Copyable {
  private let owner: Statement
  let handle: OpaquePointer
  private let place: String

  init(_ statement: Statement, place: String) {
    owner = statement
    unsafe handle = unsafe statement.sqliteStatement
    self.place = place
  }

  /// The number of columns of a row; 0 for statements without result.
  package var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

  /// Moves to the next row; false if there is none.
  ///
  /// - Throws: ``CofferError`` with the code that fits SQLite's result.
  package func step() throws(CofferError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw error(code)
    }
  }

  /// Runs a statement without rows, and resets it for the next time.
  package func run() throws(CofferError) {
    let code = unsafe sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      let failure = error(code)
      reset()
      throw failure
    }
    reset()
  }

  /// Makes the statement ready to run again; bindings stay.
  package func reset() { unsafe sqlite3_reset(handle) }

  /// The storage class of a value of the current row.
  package func storageClass(_ column: Int32) -> StorageClass {
    unsafe StorageClass(rawValue: sqlite3_column_type(handle, column)) ?? .null
  }

  /// An integer of the current row.
  package func int64(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// An integer of the current row; nil for other storage classes.
  package func integer(_ column: Int32) -> Int64? {
    storageClass(column) == .integer ? int64(column) : nil
  }

  /// A floating point number of the current row.
  package func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  /// The bytes of a string in the current row, borrowed until the next step; empty for an empty
  /// string.
  package func textBytes(_ column: Int32) -> UnsafeRawBufferPointer {
    // The pointer first: asking for the size before could convert the value under it.
    let start = unsafe sqlite3_column_text(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// The bytes of a blob in the current row, borrowed until the next step; empty for an empty blob.
  package func blobBytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// A copy of a value of the current row, for small queries.
  package func value(_ column: Int32) -> SQLiteValue {
    switch storageClass(column) {
    case .null: .null
    case .integer: .integer(int64(column))
    case .real: .real(double(column))
    case .text: unsafe .text(Array(textBytes(column)))
    case .blob: unsafe .blob(Array(blobBytes(column)))
    }
  }

  /// Binds no value to a parameter, the first being 1.
  package func bindNull(_ parameter: Int32) { unsafe sqlite3_bind_null(handle, parameter) }

  /// Binds no value to all parameters.
  package func clearBindings() { unsafe sqlite3_clear_bindings(handle) }

  /// Binds an integer.
  package func bind(_ value: Int64, at parameter: Int32) {
    unsafe sqlite3_bind_int64(handle, parameter, value)
  }

  /// Binds a floating point number.
  package func bind(_ value: Double, at parameter: Int32) {
    unsafe sqlite3_bind_double(handle, parameter, value)
  }

  /// Binds the bytes of a string, which must stay in place until the statement has run.
  package func bind(lentText bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    // SQLite takes a nil pointer for NULL: an empty text needs an address.
    unsafe withAddress(of: bytes) { start in
      _ = unsafe sqlite3_bind_text64(
        handle, parameter, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
        UInt8(SQLITE_UTF8))
    }
  }

  /// Binds the bytes of a blob, which must stay in place until the statement has run.
  package func bind(lentBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    unsafe withAddress(of: bytes) { start in
      _ = unsafe sqlite3_bind_blob64(handle, parameter, start, UInt64(bytes.count), nil)
    }
  }

  /// Binds a blob of zeros, to be filled piece by piece after the row was inserted.
  package func bind(zeroBlob count: Int64, at parameter: Int32) {
    unsafe sqlite3_bind_zeroblob64(handle, parameter, UInt64(clamping: count))
  }

  /// Binds a copy of a value, for small statements.
  package func bind(_ value: SQLiteValue, at parameter: Int32) {
    switch value {
    case .null: bindNull(parameter)
    case .integer(let value): bind(value, at: parameter)
    case .real(let value): bind(value, at: parameter)
    case .text(let bytes):
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe withAddress(of: bytes) { start in
          _ = unsafe sqlite3_bind_text64(
            handle, parameter, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
            copied, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe withAddress(of: bytes) { start in
          _ = unsafe sqlite3_bind_blob64(handle, parameter, start, UInt64(bytes.count), copied)
        }
      }
    }
  }

  /// SQLITE_TRANSIENT, which C spells as a cast that Swift cannot import: SQLite copies the bytes.
  private var copied: sqlite3_destructor_type {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  private func withAddress(of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawPointer) -> Void) {
    if let start = bytes.baseAddress {
      unsafe body(start)
    } else {
      // Any address will do for a value without bytes.
      unsafe withUnsafeBytes(of: 0 as UInt64) { zero in
        if let start = zero.baseAddress { unsafe body(start) }
      }
    }
  }

  /// The row number of the row that was inserted last on the statement's connection.
  package var lastInsertedRow: Int64 {
    unsafe sqlite3_last_insert_rowid(sqlite3_db_handle(handle))
  }

  private func error(_ code: Int32) -> CofferError {
    let database = unsafe sqlite3_db_handle(handle)
    let message = unsafe String(cString: sqlite3_errmsg(database))
    return CofferError.fromSQLite(
      code: unsafe sqlite3_extended_errcode(database), message: message, path: place)
  }
}

/// The storage class of a value in SQLite, by SQLite's numbers (<https://sqlite.org/c3ref/c_blob.html>).
package enum StorageClass: Int32, Sendable {
  /// A 64-bit integer.
  case integer = 1
  /// A 64-bit floating point number.
  case real = 2
  case text = 3
  case blob = 4
  case null = 5

  // The operators of all types with raw values find this comparison at run time, for each value.
  @inlinable package static func == (left: StorageClass, right: StorageClass) -> Bool {
    switch (left, right) {
    case (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob), (.null, .null): true
    default: false
    }
  }
  @inlinable package static func != (left: StorageClass, right: StorageClass) -> Bool {
    !(left == right)
  }
}

/// A statement that is run again and again, where one that cannot be copied cannot be kept.
package final class PreparedStatement {
  /// The statement.
  package let statement: SQLiteStatement

  /// Keeps a statement.
  package init(_ statement: consuming SQLiteStatement) { self.statement = statement }
}
