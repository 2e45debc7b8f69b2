/// Goes through the tokens of an SQL text from front to back.
struct SQLTokenReader {
  /// The tokens that were not taken.
  private(set) var rest: ArraySlice<SQLToken>

  /// Begins with the first token of a text.
  init(_ sql: String) { rest = SQLToken.all(in: sql)[...] }

  /// Begins with the first of some tokens.
  init(_ tokens: ArraySlice<SQLToken>) { rest = tokens }

  /// The next token, or nil at the end.
  var next: SQLToken? { rest.first }

  /// Passes over the next token.
  mutating func skip() { rest = rest.dropFirst() }

  /// Takes a keyword; false, and nothing is taken, where another token comes.
  mutating func take(_ keyword: String) -> Bool {
    guard next?.keyword == keyword else { return false }
    skip()
    return true
  }

  /// Takes a name, which SQLite allows to be a text too; nil for other tokens.
  mutating func takeName() -> String? {
    guard let token = next, token.isName || token.kind == .text else { return nil }
    skip()
    return token.text
  }

  /// Reads a parenthesis with its content; nil if there is none or it does not end.
  ///
  /// - Returns: the tokens within.
  mutating func takeParenthesis() -> ArraySlice<SQLToken>? {
    guard next?.isSign("(") ?? false else { return nil }
    var depth = 0
    for index in rest.indices {
      if rest[index].isSign("(") { depth += 1 }
      if rest[index].isSign(")") { depth -= 1 }
      guard depth == 0 else { continue }
      let inner = rest[(rest.startIndex + 1)..<index]
      rest = rest[(index + 1)...]
      return inner
    }
    return nil
  }

  /// Reads everything up to a keyword outside parentheses, and the keyword; nil if there is none.
  ///
  /// A word after a dot is the name of a column.
  mutating func takeUpTo(_ keyword: String) -> ArraySlice<SQLToken>? {
    var depth = 0
    for index in rest.indices {
      if rest[index].isSign("(") { depth += 1 }
      if rest[index].isSign(")") { depth -= 1 }
      let isColumn = index > rest.startIndex && rest[index - 1].isSign(".")
      guard depth == 0, rest[index].keyword == keyword, !isColumn else { continue }
      let before = rest[..<index]
      rest = rest[(index + 1)...]
      return before
    }
    return nil
  }

  /// The pieces between commas outside of parentheses.
  static func list(_ tokens: ArraySlice<SQLToken>) -> [ArraySlice<SQLToken>] {
    var pieces: [ArraySlice<SQLToken>] = []
    var depth = 0
    var start = tokens.startIndex
    for index in tokens.indices {
      if tokens[index].isSign("(") { depth += 1 }
      if tokens[index].isSign(")") { depth -= 1 }
      guard depth == 0, tokens[index].isSign(",") else { continue }
      pieces.append(tokens[start..<index])
      start = index + 1
    }
    pieces.append(tokens[start...])
    return pieces
  }
}
