package import CoreDataModel

extension SchemaCatalog {
  /// The declarations of a schema that is not in a database: its tables are created in memory.
  ///
  /// Virtual tables, indexes, views and triggers are left out.
  ///
  /// - Parameters:
  ///   - statements: the whole schema, which may come from a stranger.
  ///   - place: the place in errors.
  /// - Throws: ``CofferError``: `refused` if no store contains such a statement; otherwise an error
  ///   of SQLite.
  package init(ofTablesIn statements: [SchemaStatement], place: String) throws(CofferError) {
    try SchemaPolicy.require(statements, place: place)
    let connection = try SQLiteConnection(path: ":memory:", access: .writing, place: place)
    self = try connection.use { database throws(CofferError) in
      try database.setDefensive(true)
      for statement in statements where statement.kind == .table && !statement.isInternal {
        try database.run(statement.sql)
      }
      return try SchemaCatalog(database)
    }
    try connection.close()
  }
}
