internal import CoreDataModel

extension SchemaCatalog {
  /// The statements that create everything in the schema.
  ///
  /// Tables come first, then SQLite's own tables, virtual tables, indexes, views and triggers, each
  /// kind in the order of its creation. What SQLite creates by itself is left out. A restored store
  /// has SQLite's own tables and virtual tables at other places than its source; with the kinds
  /// apart, both list the same.
  package var statements: [SchemaStatement] {
    var ordinary: [SchemaStatement] = []
    var internals: [SchemaStatement] = []
    var virtual: [SchemaStatement] = []
    for table in self.tables {
      var statement = SchemaStatement(
        kind: .table, name: table.name, tableName: table.name, sql: table.sql)
      if case .virtual = table.kind {
        statement.kind = .virtualTable
        virtual.append(statement)
      } else if table.name.lowercased().hasPrefix("sqlite_") {
        internals.append(statement)
      } else {
        ordinary.append(statement)
      }
    }
    internals.sort { codeUnitsAscend($0.name, $1.name) }
    let tables = ordinary + internals + virtual
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
