package import CoreDataModel

extension SchemaCatalog {
  /// What the tables of a schema declare that stands in no database: they are created in memory.
  ///
  /// Virtual tables, indexes, views and triggers are left out.
  ///
  /// - Parameters:
  ///   - statements: the whole schema, which may come from a stranger.
  ///   - place: where it comes from, for errors.
  /// - Throws: ``CofferError``: `refused` where a statement is none that a store consists of, what
  ///   SQLite reports otherwise.
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
