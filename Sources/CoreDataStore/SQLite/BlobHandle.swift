package import CoreDataModel
internal import GRDBSQLite

/// One blob of a row, read or written piece by piece, so that its size does not matter.
///
/// Source: <https://sqlite.org/c3ref/blob_open.html>. Not to be used outside of the block of the
/// connection that made it.
@safe package struct BlobHandle: ~Copyable {
  private let handle: OpaquePointer
  private let database: OpaquePointer?
  private let place: String
  /// The number of bytes of the blob.
  package let count: Int

  /// Opens a blob; throws ``CofferError`` with the code that fits SQLite's result: no such row, not a blob.
  init(
    _ database: SQLiteDatabase, table: String, column: String, row: Int64, isWriting: Bool
  ) throws(CofferError) {
    var opened: OpaquePointer?
    let code = unsafe sqlite3_blob_open(
      database.handle, "main", table, column, row, isWriting ? 1 : 0, &opened)
    guard code == SQLITE_OK, let blob = unsafe opened else {
      throw .fromSQLite(
        code: code, message: unsafe String(cString: sqlite3_errmsg(database.handle)),
        path: database.place)
    }
    unsafe handle = blob
    unsafe self.database = database.handle
    place = database.place
    count = unsafe Int(sqlite3_blob_bytes(blob))
  }

  deinit { unsafe sqlite3_blob_close(handle) }

  /// Reads bytes from an offset; the range must be within the blob.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(CofferError)
  {
    let code = unsafe sqlite3_blob_read(
      handle, buffer.baseAddress, Int32(clamping: buffer.count), Int32(clamping: offset))
    try check(code)
  }

  /// Reads all bytes, piece by piece.
  ///
  /// - Parameter body: called with each piece, borrowed for the call, and its offset.
  /// - Throws: ``CofferError`` if a piece cannot be read; errors from the closure.
  package func readPieces(
    _ body: (UnsafeRawBufferPointer, Int) throws(CofferError) -> Void
  ) throws(CofferError) {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { unsafe piece.deallocate() }
    var offset = 0
    while offset < count {
      let part = unsafe UnsafeMutableRawBufferPointer(
        rebasing: piece[..<min(piece.count, count - offset)])
      unsafe try read(into: part, at: offset)
      unsafe try body(UnsafeRawBufferPointer(part), offset)
      offset += part.count
    }
  }

  /// Writes bytes at an offset; the range must be within the blob.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(CofferError) {
    let code = unsafe sqlite3_blob_write(
      handle, bytes.baseAddress, Int32(clamping: bytes.count), Int32(clamping: offset))
    try check(code)
  }

  private func check(_ code: Int32) throws(CofferError) {
    guard code != SQLITE_OK else { return }
    throw .fromSQLite(
      code: code, message: unsafe String(cString: sqlite3_errmsg(database)), path: place)
  }
}

extension SQLiteDatabase {
  /// Opens one blob of a row for reading or writing in pieces.
  package func blob(
    table: String, column: String, row: Int64, isWriting: Bool = false
  ) throws(CofferError) -> BlobHandle {
    try BlobHandle(self, table: table, column: column, row: row, isWriting: isWriting)
  }
}
