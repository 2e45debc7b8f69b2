internal import CoreDataLayout
package import CoreDataModel

/// Takes objects out of a private copy of a store, as if they had never been there: with everything that
/// leads to them, and without a trace in versions and history.
package struct ForgottenObjects {
  private static let forgotten = "temp.coffer_forgotten"

  private let database: SQLiteDatabase
  private let lookup: ObjectLookup

  /// Begins; removes the unique indexes of the copy, in which rows of two states come together.
  ///
  /// - Parameters:
  ///   - database: the database of an editor's copy.
  ///   - store: the store that was copied.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package init(_ database: SQLiteDatabase, of store: PersistentStore) throws(CofferError) {
    self.database = database
    lookup = ObjectLookup(database, EditedSchema(store.layout))
    for index in store.catalog.indexes
    where index.sql?.uppercased().hasPrefix("CREATE UNIQUE") == true {
      try database.run("DROP INDEX IF EXISTS \(quotedIdentifier(index.name))")
    }
    try database.run(
      "CREATE TABLE \(Self.forgotten) (t INTEGER, k INTEGER, PRIMARY KEY (t, k)) WITHOUT ROWID")
  }

  /// Adds an object, by its key and its entity or one above it.
  package func add(_ key: Int64, of entity: String) throws(CofferError) {
    guard let table = lookup.schema.table(of: entity) else { return }
    try lookup.statements.run(
      "INSERT OR IGNORE INTO \(Self.forgotten) VALUES (?, ?)", .integer(Int64(table)),
      .integer(key))
  }

  /// Takes them out.
  package func complete() throws(CofferError) {
    func keys(_ table: Int) -> String { "(SELECT k FROM \(Self.forgotten) WHERE t = \(table))" }
    for reference in lookup.schema.references {
      let columns = [reference.column, reference.entityColumn, reference.orderColumn]
        .compactMap(\.self).map { "\(lookup.name($0, of: reference.table)) = NULL" }
      try database.run(
        "UPDATE \(lookup.name(reference.table)) SET \(columns.joined(separator: ", ")) WHERE "
          + "\(lookup.name(reference.column, of: reference.table)) IN "
          + keys(reference.destinationTable))
    }
    for pairs in lookup.schema.pairs {
      let ends = pairs.ends.map { "\(quotedIdentifier($0.column)) IN \(keys($0.table))" }
      try database.run(
        "DELETE FROM \(quotedIdentifier(pairs.name)) WHERE \(ends.joined(separator: " OR "))")
    }
    for table in lookup.schema.tables.indices {
      try database.run("DELETE FROM \(lookup.name(table)) WHERE Z_PK IN \(keys(table))")
    }
  }
}
