/// Finds the primary key of a table in the text of the statement that creates it.
///
/// For readers that have the text and no database to ask.
package enum PrimaryKeyClause {
  /// The columns of the primary key in order; empty if there is none.
  package static func columns(ofTable sql: String) -> [String] {
    var elements: [[SQLToken]] = [[]]
    var depth = 0
    for token in SQLToken.all(in: sql) {
      if token.isSign(")") { depth -= 1 }
      if depth == 1, token.isSign(",") {
        elements.append([])
      } else if depth >= 1 {
        elements[elements.count - 1].append(token)
      }
      if token.isSign("(") { depth += 1 }
    }
    for element in elements {
      guard let position = position(in: element) else { continue }
      if let first = element.first, first.keyword != "PRIMARY", first.keyword != "CONSTRAINT" {
        return [first.text]
      }
      return names(in: element[(position + 2)...])
    }
    return []
  }

  /// The place of PRIMARY KEY, outside any parentheses within the element.
  private static func position(in element: [SQLToken]) -> Int? {
    var depth = 0
    for (index, token) in element.enumerated() {
      if token.isSign("(") { depth += 1 }
      if token.isSign(")") { depth -= 1 }
      if depth == 0, token.keyword == "PRIMARY", index + 1 < element.count,
        element[index + 1].keyword == "KEY"
      {
        return index
      }
    }
    return nil
  }

  /// The first token of each element of a list in parentheses.
  private static func names(in tokens: ArraySlice<SQLToken>) -> [String] {
    var names: [String] = []
    var expectsName = false
    for token in tokens {
      if token.isSign("(") || token.isSign(",") {
        expectsName = true
      } else if token.isSign(")") {
        break
      } else if expectsName {
        names.append(token.text)
        expectsName = false
      }
    }
    return names
  }
}
