internal import GRDBSQLite

extension SQLiteDatabase {
  /// Runs statements that may take long and ends them when the task is cancelled.
  ///
  /// - Throws: what the closure throws; `sqlite-error` when a statement was ended.
  func interruptible<T>(
    _ body: (SQLiteDatabase) throws(StoreError) -> T
  ) throws(StoreError) -> T {
    unsafe sqlite3_progress_handler(
      handle, 1000, { _ in Task<Never, Never>.isCancelled ? 1 : 0 }, nil)
    defer { unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
    return try body(self)
  }
}
