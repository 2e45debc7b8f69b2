extension SchemaStatement {
  /// SQLite's own tables that a store can have.
  static let internalTables: Set<String> = [
    "sqlite_sequence", "sqlite_stat1", "sqlite_stat3", "sqlite_stat4",
  ]

  /// Whether it creates a table of SQLite's own, which no statement can.
  var isInternal: Bool { name.lowercased().hasPrefix("sqlite_") }

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
}
