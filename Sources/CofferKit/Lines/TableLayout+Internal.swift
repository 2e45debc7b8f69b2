internal import CoreDataArchive

extension TableLayout {
  /// Whether it is a table of SQLite's own, such as `sqlite_sequence`, which SQLite itself may fill
  /// while rows are inserted into other tables.
  var isInternal: Bool { storedName.lowercased().hasPrefix("sqlite_") }
}
