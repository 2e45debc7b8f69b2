internal import CSQLiteConfiguration
internal import GRDBSQLite

/// Reads database files that nobody else changes in larger pieces than pages.
///
/// SQLite asks the system for one page at a time. A scan asks for one page after the other, and most of what
/// that costs is the asking.
enum ReadAhead {
  private static let name: StaticString = "coffer-reads-ahead"

  /// Whether SQLite has the system that reads ahead; it is made when this is first asked.
  private static let isThere = unsafe UnsafeRawPointer(name.utf8Start)
    .withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount + 1) {
      unsafe coffer_sqlite_register_read_ahead($0) == SQLITE_OK
    }

  /// What an SQLite URI says to read a file that nobody changes: without locks, and ahead.
  static var parameters: String {
    isThere ? "&immutable=1&vfs=\(name)" : "&immutable=1"
  }

  /// The name under which SQLite opens a file that only this connection writes, and reads it ahead.
  ///
  /// - Parameter path: the path; empty for a database without a name.
  /// - Returns: an SQLite URI, or the path where there is nothing to read ahead.
  static func onlyWriter(of path: String) -> String {
    path.isEmpty || !isThere ? path : SnapshotOpener.uri(path) + "?alone=1&vfs=\(name)"
  }
}
