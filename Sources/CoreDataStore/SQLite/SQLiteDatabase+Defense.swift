package import CoreDataModel
internal import GRDBSQLite

extension SQLiteDatabase {
  /// Switches SQLite's defensive mode, which forbids writing to the schema and to shadow tables, and
  /// doing without a journal.
  ///
  /// Connections that read have it from their beginning.
  ///
  /// - Throws: ``CofferError`` where this SQLite has no such mode.
  package func setDefensive(_ isOn: Bool) throws(CofferError) {
    do {
      try ConnectionDefense.setDefensive(isOn, database)
    } catch {
      throw .wrapping(error, path: place)
    }
  }

  /// Lets SQLite handle no value of more bytes while a closure runs.
  ///
  /// - Throws: what the closure throws.
  func limitingValues<T>(
    to count: Int32, _ body: (SQLiteDatabase) throws(CofferError) -> T
  ) throws(CofferError) -> T {
    let before = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, count)
    defer { _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, before) }
    return try body(self)
  }
}
