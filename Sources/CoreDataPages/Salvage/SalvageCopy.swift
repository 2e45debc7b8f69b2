package import CoreDataModel
package import CoreDataStore

/// The readable rows of damaged tables, in a temporary database without a name.
///
/// SQLite keeps it in memory or in a file that is gone whenever the process ends.
package final class SalvageCopy: Sendable {
  private let connection: SQLiteConnection
  static let keyTable = "coffer keys of an index"

  /// Makes an empty copy; throws an error when no temporary database can be made.
  package init(place: String) throws(CofferError) {
    connection = try .temporary(place: place)
  }

  /// Passes the copy to a closure.
  package func use<T, E: Error>(_ body: (SQLiteDatabase) throws(E) -> T) throws(E) -> T {
    try connection.use(body)
  }

  /// Makes an empty table for rows of a table of the store.
  ///
  /// Its columns have no types, so that values stay unchanged.
  static func create(
    _ table: SchemaTable, columns: [String], in database: SQLiteDatabase
  ) throws(CofferError) {
    var elements = columns.map { column in
      table.rowIDAlias == column
        ? "\(quotedIdentifier(column)) INTEGER PRIMARY KEY" : quotedIdentifier(column)
    }
    if table.isWithoutRowID {
      let key = table.columns.filter { $0.primaryKeyPosition > 0 }
        .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }
        .map { quotedIdentifier($0.name) }
      elements.append("PRIMARY KEY (\(key.joined(separator: ", ")))")
    }
    let name = quotedIdentifier(table.name)
    try database.run("DROP TABLE IF EXISTS \(name)")
    try database.run("CREATE TABLE \(name) (\(elements.joined(separator: ", ")))")
  }

  deinit { try? connection.close() }
}
