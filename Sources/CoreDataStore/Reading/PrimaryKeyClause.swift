/// Finds the primary key of a table in the text of the statement that creates it.
///
/// For readers that have the text and no database to ask. Comments are not expected: the text is
/// SQLite's own copy of what Core Data wrote, or an app.
package enum PrimaryKeyClause {
  /// The columns of the primary key in order; empty if there is none.
  package static func columns(ofTable sql: String) -> [String] {
    var elements: [[Token]] = [[]]
    var depth = 0
    for token in tokens(of: sql) {
      if token == .symbol(")") { depth -= 1 }
      if depth == 1, token == .symbol(",") {
        elements.append([])
      } else if depth >= 1 {
        elements[elements.count - 1].append(token)
      }
      if token == .symbol("(") { depth += 1 }
    }
    for element in elements {
      guard let position = position(in: element) else { continue }
      if let first = element.first, !first.isKeyword("PRIMARY"), !first.isKeyword("CONSTRAINT") {
        return [first.name]
      }
      return names(in: element[(position + 2)...])
    }
    return []
  }

  private enum Token: Equatable {
    case word(String)
    case quoted(String)
    case symbol(Character)

    var name: String {
      switch self {
      case .word(let text), .quoted(let text): text
      case .symbol(let sign): String(sign)
      }
    }

    func isKeyword(_ keyword: String) -> Bool {
      if case .word(let text) = self { text.uppercased() == keyword } else { false }
    }
  }

  /// The position of PRIMARY KEY outside any parentheses in the element.
  private static func position(in element: [Token]) -> Int? {
    var depth = 0
    for (index, token) in element.enumerated() {
      if token == .symbol("(") { depth += 1 }
      if token == .symbol(")") { depth -= 1 }
      if depth == 0, token.isKeyword("PRIMARY"), index + 1 < element.count,
        element[index + 1].isKeyword("KEY")
      {
        return index
      }
    }
    return nil
  }

  /// The first token of each element of a list in parentheses.
  private static func names(in tokens: ArraySlice<Token>) -> [String] {
    var names: [String] = []
    var expectsName = false
    for token in tokens {
      if token == .symbol("(") || token == .symbol(",") {
        expectsName = true
      } else if token == .symbol(")") {
        break
      } else if expectsName {
        names.append(token.name)
        expectsName = false
      }
    }
    return names
  }

  private static func tokens(of sql: String) -> [Token] {
    var tokens: [Token] = []
    var word = ""
    var rest = sql[...]
    func endWord() {
      if !word.isEmpty { tokens.append(.word(word)) }
      word = ""
    }
    while let character = rest.popFirst() {
      switch character {
      case "\"", "`", "'", "[":
        endWord()
        tokens.append(.quoted(quoted(&rest, until: character == "[" ? "]" : character)))
      case "(", ")", ",":
        endWord()
        tokens.append(.symbol(character))
      case _ where character.isWhitespace: endWord()
      default: word.append(character)
      }
    }
    endWord()
    return tokens
  }

  /// A quoted name; two closing quotes stand for one.
  private static func quoted(_ rest: inout Substring, until end: Character) -> String {
    var text = ""
    while let character = rest.popFirst() {
      if character == end {
        guard end != "]", rest.first == end else { break }
        rest.removeFirst()
      }
      text.append(character)
    }
    return text
  }
}
