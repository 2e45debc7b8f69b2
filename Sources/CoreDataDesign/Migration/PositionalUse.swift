internal import CoreDataStore

/// The ways in which a statement uses the columns of tables by their number and order, without names.
struct PositionalUse {
  /// The tables into which it inserts rows without naming their columns.
  private var filled: Set<SchemaName> = []
  /// Whether it reads all columns of some table.
  private var readsAll = false

  init(_ tokens: [SQLToken]) {
    for (index, token) in tokens.enumerated() {
      switch token.keyword {
      case "INTO": note(target: tokens[(index + 1)...])
      case "NATURAL": readsAll = true
      default:
        if token.isSign("*"), index > 0, Self.isAll(tokens[..<index]) { readsAll = true }
      }
    }
  }

  /// The use of the columns of a table, as a clause without its subject; nil if they are named.
  func ofColumns(of table: String) -> String? {
    if filled.contains(SchemaName(table)) {
      return "inserts rows into \(table) without naming its columns"
    }
    return readsAll ? "reads all columns of \(table) without naming them" : nil
  }

  /// Records the table of an insertion, which in triggers has neither a schema nor an alias.
  private mutating func note(target tokens: ArraySlice<SQLToken>) {
    guard let table = tokens.first, tokens.dropFirst().first?.isSign("(") != true else { return }
    filled.insert(SchemaName(table.text))
  }

  /// Whether an asterisk after some tokens selects all columns, so that their order matters.
  private static func isAll(_ tokens: ArraySlice<SQLToken>) -> Bool {
    guard let last = tokens.last else { return false }
    if last.isSign(".") || last.isSign(",") { return true }
    guard ["SELECT", "DISTINCT", "ALL"].contains(last.keyword) else { return false }
    // EXISTS (SELECT * …) asks for rows.
    let before = tokens.dropLast()
    return !(before.last?.isSign("(") == true && before.dropLast().last?.keyword == "EXISTS")
  }
}
