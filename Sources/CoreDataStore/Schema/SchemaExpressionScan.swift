/// Looks through the expressions and queries of one statement for calls and tables that a store's
/// schema has no business with.
///
/// It need not know the whole grammar, since SQLite does: every name before a parenthesis that is
/// not there for the grammar is a call, and every name where a table can be named is one. What it
/// does not understand, it objects to.
struct SchemaExpressionScan {
  /// The names of functions that may be called, in small letters.
  let functions: Set<String>
  /// The tables and views that may be named.
  let tables: Set<SchemaName>

  private var tokens: [SQLToken] = []
  private var levels: [Place] = [.elsewhere]
  /// The tables that the statement's own `WITH` clauses define.
  private var ownTables: Set<SchemaName> = []
  /// The positions of names before the lists of their columns.
  private var listed: Set<Int> = []

  /// Where in a query the scan is, at one level of parentheses.
  private enum Place {
    /// Anywhere but in a list of tables.
    case elsewhere
    /// A table of a `FROM` clause must come.
    case beforeTable
    /// The one table that is written to must come.
    case beforeTarget
    /// After a table in a `FROM` clause, where a comma introduces another.
    case behindTable
  }

  /// Words of SQLite's grammar that can precede a parenthesis and can never be names
  /// (<https://sqlite.org/lang_keywords.html>, `%fallback` in its `parse.y`).
  private static let reserved: Set<String> = [
    "ALL", "AND", "AS", "BETWEEN", "CASE", "CHECK", "DEFAULT", "DISTINCT", "ELSE", "ESCAPE",
    "EXCEPT", "EXISTS", "FROM", "HAVING", "IN", "INTERSECT", "IS", "JOIN", "LIMIT", "NOT", "ON",
    "OR", "SELECT", "SET", "THEN", "UNION", "UNIQUE", "USING", "VALUES", "WHEN", "WHERE",
  ]

  /// Other words of the grammar before a parenthesis, by the word that must precede them.
  private static let contextual: [String: Set<String>] = [
    "KEY": ["PRIMARY", "FOREIGN"], "BY": ["PARTITION", "GROUP", "ORDER"], "CONFLICT": ["ON"],
    "MATERIALIZED": ["AS", "NOT"], "OVER": [")"], "FILTER": [")"],
  ]

  /// Keywords that end a list of tables; none can be a name.
  private static let clauses: Set<String> = [
    "EXCEPT", "GROUP", "HAVING", "INTERSECT", "LIMIT", "ORDER", "RETURNING", "SELECT", "SET",
    "UNION", "VALUES", "WHERE",
  ]

  init(functions: Set<String>, tables: Set<SchemaName>) {
    self.functions = functions
    self.tables = tables
  }

  /// The objection to a piece of a statement, or nil.
  mutating func objection(to tokens: some Collection<SQLToken>) -> String? {
    self.tokens = Array(tokens)
    levels = [.elsewhere]
    ownTables = []
    listed = []
    for index in self.tokens.indices where self.tokens[index].keyword == "WITH" {
      if let objection = noteOwnTables(behind: index) { return objection }
    }
    var index = 0
    while index < self.tokens.count {
      if let objection = take(&index) { return objection }
      index += 1
    }
    return nil
  }

  private func token(_ index: Int) -> SQLToken? {
    tokens.indices.contains(index) ? tokens[index] : nil
  }

  private func isOpening(_ index: Int) -> Bool { token(index)?.isSign("(") ?? false }

  private var place: Place {
    get { levels[levels.count - 1] }
    set { levels[levels.count - 1] = newValue }
  }

  // MARK: Token by token

  private mutating func take(_ index: inout Int) -> String? {
    let token = tokens[index]
    if token.kind == .sign { return takeSign(token, index) }
    if place == .beforeTable || place == .beforeTarget { return takeTable(&index) }
    switch token.keyword {
    case "FROM":
      let isComparison =
        self.token(index - 1)?.keyword == "DISTINCT"
        && ["IS", "NOT"].contains(self.token(index - 2)?.keyword)
      if !isComparison { place = .beforeTable }
    case "JOIN": place = .beforeTable
    case "INTO": place = .beforeTarget
    case "UPDATE":
      // DO UPDATE of an INSERT, ON UPDATE of a foreign key.
      if !["DO", "ON"].contains(self.token(index - 1)?.keyword) { place = .beforeTarget }
    case "IN":
      // A name after IN without parentheses is a table.
      guard let next = self.token(index + 1), !next.isSign("(") else { break }
      index += 1
      return checkTable(&index)
    case "COLLATE":
      // SQLite has three, https://sqlite.org/datatype3.html#collating_sequences.
      guard let name = self.token(index + 1), name.kind != .sign,
        !["BINARY", "NOCASE", "RTRIM"].contains(name.text.uppercased())
      else { break }
      return "uses the collation \(name.text), which SQLite does not provide"
    case "LIKE", "GLOB":
      // A call, or a column of that name, follows a sign.
      let isOperator = self.token(index - 1).map { $0.kind != .sign || $0.isSign(")") } ?? false
      if isOperator, !functions.contains(token.text.lowercased()) {
        return "uses \(token.keyword), which can take long for a long text"
      }
    case "REGEXP": return "uses REGEXP, a function that SQLite does not provide"
    case let word where Self.clauses.contains(word): place = .elsewhere
    default: break
    }
    return isCall(index) && !isAllowed(token) ? "calls the function \(token.text)" : nil
  }

  private mutating func takeSign(_ token: SQLToken, _ index: Int) -> String? {
    switch token.text {
    case "(":
      var inner = Place.elsewhere
      if place == .beforeTable {
        let isQuery = ["SELECT", "VALUES", "WITH"].contains(self.token(index + 1)?.keyword)
        inner = isQuery ? .elsewhere : .beforeTable
        place = .behindTable
      }
      levels.append(inner)
    case ")":
      guard levels.count > 1 else { return "has too many closing parentheses" }
      levels.removeLast()
    case ",":
      if place == .behindTable { place = .beforeTable }
    case ";": return "contains more than one statement"
    default:
      if place == .beforeTable || place == .beforeTarget { return "names no table" }
    }
    return nil
  }

  // MARK: Tables

  private mutating func takeTable(_ index: inout Int) -> String? {
    // UPDATE OR IGNORE and its like.
    if place == .beforeTarget, tokens[index].keyword == "OR" {
      index += 1
      return nil
    }
    let isTarget = place == .beforeTarget
    if let objection = checkTable(&index) { return objection }
    if !isTarget, isOpening(index + 1) { return "reads the table function \(tokens[index].text)" }
    place = isTarget ? .elsewhere : .behindTable
    return nil
  }

  /// Checks the table with the next name, and moves to its last token.
  private func checkTable(_ index: inout Int) -> String? {
    guard var name = token(index), name.kind != .sign, name.kind != .number else {
      return "names no table"
    }
    if token(index + 1)?.isSign(".") ?? false {
      guard SchemaName(name.text) == SchemaName("main"), let second = token(index + 2),
        second.kind != .sign
      else { return "refers to the database \(name.text)" }
      name = second
      index += 2
    }
    let known = SchemaName(name.text)
    guard tables.contains(known) || ownTables.contains(known) else {
      return "refers to the table \(name.text), which the store does not have"
    }
    return nil
  }

  /// Records the tables that a `WITH` clause defines.
  private mutating func noteOwnTables(behind start: Int) -> String? {
    var index = start + 1
    if token(index)?.keyword == "RECURSIVE" { index += 1 }
    while let name = token(index), name.kind != .sign, name.kind != .number {
      let position = index
      index += 1
      if isOpening(index) {
        index = behindParenthesis(index)
        listed.insert(position)
      }
      guard token(index)?.keyword == "AS" else { return nil }
      index += 1
      if token(index)?.keyword == "NOT" { index += 1 }
      if token(index)?.keyword == "MATERIALIZED" { index += 1 }
      guard isOpening(index) else { return nil }
      if Self.isSpecial(name.text) { return "defines a table \(name.text)" }
      ownTables.insert(SchemaName(name.text))
      index = behindParenthesis(index)
      guard token(index)?.isSign(",") ?? false else { return nil }
      index += 1
    }
    return nil
  }

  /// Whether a name belongs to a table that SQLite provides without a `CREATE` statement.
  private static func isSpecial(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["sqlite_", "pragma_", "json_", "fts", "bytecode", "tables_used", "dbstat"]
      .contains(where: name.hasPrefix)
  }

  private func behindParenthesis(_ start: Int) -> Int {
    var depth = 0
    var index = start
    while let token = token(index) {
      if token.isSign("(") { depth += 1 }
      if token.isSign(")") { depth -= 1 }
      index += 1
      if depth == 0 { break }
    }
    return index
  }

  // MARK: Calls

  private func isCall(_ index: Int) -> Bool {
    let token = tokens[index]
    guard token.isName, isOpening(index + 1), !listed.contains(index) else { return false }
    let before = self.token(index - 1)
    // A type in a CAST, and the other name of a table before the list of its columns.
    if before?.keyword == "AS" || before?.keyword == "REFERENCES" { return false }
    if token.keyword == "CAST" || token.keyword == "RAISE" { return false }
    if Self.reserved.contains(token.keyword) { return false }
    guard let words = Self.contextual[token.keyword] else { return true }
    let previous = before.map { $0.kind == .sign ? $0.text : $0.keyword } ?? ""
    return !words.contains(previous)
  }

  private func isAllowed(_ token: SQLToken) -> Bool { functions.contains(token.text.lowercased()) }
}
