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
  package let isWhole: Bool

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
