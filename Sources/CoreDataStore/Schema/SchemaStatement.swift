/// A statement that creates a part of a store's schema, as SQLite keeps it.
package struct SchemaStatement: Sendable, Equatable {
  /// The kinds of objects.
  package enum Kind: String, Sendable, CaseIterable {
    case table
    /// A virtual table, whose content is in shadow tables.
    case virtualTable = "virtual-table"
    case index
    case trigger
    case view
  }

  /// The kind of the object.
  package var kind: Kind
  /// The name of the object that it creates.
  package var name: String
  /// The name of the table that it belongs to; its own for tables and views.
  package var tableName: String
  /// The text.
  package var sql: String

  /// Creates a statement of a schema.
  package init(kind: Kind, name: String, tableName: String, sql: String) {
    self.kind = kind
    self.name = name
    self.tableName = tableName
    self.sql = sql
  }

  /// The kind and name of the object, for messages; a long name is cut.
  package var label: String {
    let start = name.prefix(100)
    return "\(kind.rawValue) \(start)\(start.endIndex == name.endIndex ? "" : "…")"
  }

  /// Whether it is a trigger with one of Core Data's names, for derived attributes, counters or
  /// R-trees.
  ///
  /// Source: store-format, sections 5.7 and 5.8.
  package var isTriggerOfCoreData: Bool {
    kind == .trigger && ["Z_DA_", "ZT_", "Z_RT_"].contains { name.hasPrefix($0) }
  }

  /// The table that the text of an index names, even if the statement's record differs; nil for
  /// other statements.
  package var indexedTable: String? {
    guard kind == .index else { return nil }
    var reader = SQLTokenReader(sql)
    guard reader.take("CREATE") else { return nil }
    _ = reader.take("UNIQUE")
    guard reader.take("INDEX"), reader.takeName() != nil, reader.take("ON") else { return nil }
    return reader.takeName()
  }

  /// Its type in SQLite's list.
  var listedType: String {
    switch kind {
    case .table, .virtualTable: "table"
    case .index: "index"
    case .trigger: "trigger"
    case .view: "view"
    }
  }

  /// SQLite's own tables that a store can have.
  static let internalTables: Set<String> = [
    "sqlite_sequence", "sqlite_stat1", "sqlite_stat3", "sqlite_stat4",
  ]

  /// Whether it creates a table of SQLite's own, which no statement can.
  package var isInternal: Bool { name.lowercased().hasPrefix("sqlite_") }

  /// Whether the text begins as a statement of its kind does in SQLite's own list.
  ///
  /// SQLite keeps the texts in one form: `CREATE`, the kind, the name. Anything else in an archive
  /// was not taken from a store. This is all that is asked of a schema that is trusted.
  var hasExpectedForm: Bool {
    let words = sql.split(maxSplits: 4, omittingEmptySubsequences: true) { $0.isWhitespace }
      .map { $0.uppercased() }
    guard words.count >= 3, words[0] == "CREATE" else { return false }
    return switch kind {
    case .table: words[1] == "TABLE" || isInternal
    case .virtualTable: words[1] == "VIRTUAL" && words[2] == "TABLE"
    case .index: words[1] == "INDEX" || (words[1] == "UNIQUE" && words[2] == "INDEX")
    case .trigger: words[1] == "TRIGGER"
    case .view: words[1] == "VIEW"
    }
  }

  /// Whether the text can contain user data: literals, or comments.
  ///
  /// If SQLite finds no column of that name, a name in double quotes is a text. Core Data's own tables
  /// have no such names.
  package var mayHoldValues: Bool {
    if sql.contains("--") || sql.contains("/*") { return true }
    let isQuery = kind == .trigger || kind == .view
    let tokens = SQLToken.all(in: sql)
    return tokens.contains { token in
      switch token.kind {
      case .text: true
      case .number: kind != .table && kind != .virtualTable
      case .quotedName: isQuery
      case .word: ["DEFAULT", "CHECK", "GENERATED"].contains(token.keyword)
      case .sign: false
      }
    }
  }
}
