extension SchemaCatalog {
  /// The statements that create everything in the schema.
  ///
  /// Tables come first, then indexes, views and triggers, each kind in the order of its creation.
  /// What SQLite creates by itself is left out.
  package var statements: [SchemaStatement] {
    let tables = self.tables.map { table in
      var kind = SchemaStatement.Kind.table
      if case .virtual = table.kind { kind = .virtualTable }
      return SchemaStatement(kind: kind, name: table.name, tableName: table.name, sql: table.sql)
    }
    let indexes = self.indexes.compactMap { index in
      index.sql.map {
        SchemaStatement(kind: .index, name: index.name, tableName: index.tableName, sql: $0)
      }
    }
    let views = self.views.map {
      SchemaStatement(kind: .view, name: $0.name, tableName: $0.name, sql: $0.sql)
    }
    let triggers = self.triggers.map {
      SchemaStatement(kind: .trigger, name: $0.name, tableName: $0.tableName, sql: $0.sql)
    }
    return tables + indexes + views + triggers
  }
}
