package import CoreDataModel

/// Everything that the schema of a database declares, and the facts of the database itself.
///
/// All lists are in the order in which the objects were created. The journal mode is not here: a
/// copy of a store need not have the mode of the original.
package struct SchemaCatalog: Sendable, Equatable {
  /// An index.
  package struct Index: Sendable, Equatable {
    /// The name.
    package var name: String
    /// The name of its table.
    package var tableName: String
    /// The text of the statement that creates it; nil for one that a constraint implies.
    package var sql: String?
  }

  /// A trigger.
  package struct Trigger: Sendable, Equatable {
    /// The name.
    package var name: String
    /// The name of its table or view.
    package var tableName: String
    /// The text of the statement that creates it.
    package var sql: String
  }

  /// A view.
  package struct View: Sendable, Equatable {
    /// The name.
    package var name: String
    /// The text of the statement that creates it.
    package var sql: String
  }

  /// The tables.
  package var tables: [SchemaTable]
  /// The indexes.
  package var indexes: [Index]
  /// The triggers.
  package var triggers: [Trigger]
  /// The views.
  package var views: [View]
  /// The size of a page in bytes.
  package var pageSize: Int64
  /// The number of the auto-vacuum mode: 0 none, 1 full, 2 incremental.
  package var autoVacuum: Int64
  /// The encoding of texts: `UTF-8`, `UTF-16le` or `UTF-16be`.
  package var encoding: String
  /// The application's number of its schema's version; 0 in the stores that Core Data makes.
  package var userVersion: Int64
  /// The application's number of its file format; 0 in the stores that Core Data makes.
  package var applicationID: Int64

  /// Whether all of the schema could be read; false only for a damaged store that is salvaged.
  package internal(set) var isWhole: Bool

  private var positions: [SchemaName: Int]

  /// The table with a name, ignoring case as SQLite does; nil if there is none.
  package func table(_ name: String) -> SchemaTable? {
    positions[SchemaName(name)].map { tables[$0] }
  }

  /// Reads the catalog of a database.
  ///
  /// - Parameters:
  ///   - database: the database.
  ///   - isTolerant: whether the readable beginning of a damaged schema is enough.
  /// - Throws: ``CofferError``: `damaged-store` when a name or a text of the schema is not valid
  ///   UTF-8 or an object has no text; what SQLite reports otherwise.
  package init(_ database: SQLiteDatabase, isTolerant: Bool = false) throws(CofferError) {
    let reader = try SchemaReader(database, isTolerant: isTolerant)
    isWhole = reader.isWhole
    tables = reader.tables
    indexes = reader.indexes
    triggers = reader.triggers
    views = reader.views
    pageSize = try database.value("PRAGMA page_size")?.integer ?? 0
    autoVacuum = try database.value("PRAGMA auto_vacuum")?.integer ?? 0
    encoding = try database.value("PRAGMA encoding")?.string ?? ""
    userVersion = try database.value("PRAGMA user_version")?.integer ?? 0
    applicationID = try database.value("PRAGMA application_id")?.integer ?? 0
    positions = [:]
    for (position, table) in tables.enumerated() { positions[SchemaName(table.name)] = position }
  }
}

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

  /// The statements that create everything in the schema.
  ///
  /// Tables come first, then SQLite's own tables, virtual tables, indexes, views and triggers, each
  /// kind in the order of its creation. What SQLite creates by itself is left out. A restored store
  /// has SQLite's own tables and virtual tables at other places than its source; with the kinds
  /// separate, both list the same.
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
