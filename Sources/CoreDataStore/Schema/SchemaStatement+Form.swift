extension SchemaStatement {
  /// Whether the text begins as a statement of its kind does in SQLite's own list.
  ///
  /// SQLite keeps the texts in one form: `CREATE`, the kind, the name. Anything else in an archive
  /// was not taken from a store.
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

  private var isInternal: Bool { name.lowercased().hasPrefix("sqlite_") }
}
