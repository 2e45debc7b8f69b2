internal import CoreDataStore

extension FuzzTarget {
  /// Texts of the schema.
  static let sql = FuzzTarget(
    "sql", "texts of SQL; the tokens stand in them in order, and nothing but blanks between them",
    maximumSize: 1 << 13,
    words: [
      "CREATE VIRTUAL TABLE ", "USING", "rtree(", "--", "/*", "*/", "\"\"", "''", "[", "]", "`",
      "\"",
      "'", ";", "\u{0}", "fts5", "\n", "AS SELECT", "é",
    ],
    seeds: {
      [
        "CREATE VIRTUAL TABLE \"a\"\"b\" /* c */ USING rtree(id, x, y) -- end",
        "create virtual table [x] using `fts5`('a', \"b\")",
        "CREATE TABLE ZA ( Z_PK INTEGER PRIMARY KEY, \"é\" VARCHAR DEFAULT 'it''s' )", "/*", "'",
        "[",
      ].map { Array($0.utf8) }
    }
  ) { input in
    let text = String(decoding: input, as: UTF8.self)
    let bytes = Array(text.utf8)
    var tokens = SQLTokens(text)
    var position = 0
    while let token = tokens.next() {
      let wanted = Array(token.utf8)
      try hold(!wanted.isEmpty, "an empty token")
      // A sign of several bytes is a word, so no token is cut within one.
      guard let start = find(wanted, in: bytes, from: position) else {
        throw BrokenLaw("a token that is not in the text: \(token)")
      }
      position = start + wanted.count
    }
    let module = VirtualTableText.module(of: text)
    try hold(module?.utf8.count ?? 0 <= bytes.count, "a module that is longer than the text")
    try holdQuoting(text)
  }

  /// A quoted name is one token, whatever the name.
  private static func holdQuoting(_ name: String) throws(BrokenLaw) {
    let quoted = quotedIdentifier(name)
    var tokens = SQLTokens(quoted)
    let (first, second) = (tokens.next(), tokens.next())
    try hold(
      first.map { Array($0.utf8) } == Array(quoted.utf8) && second == nil,
      "a quoted name is not one token")
  }

  private static func find(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    var position = start
    while position + wanted.count <= bytes.count {
      if bytes[position..<(position + wanted.count)].elementsEqual(wanted) { return position }
      position += 1
    }
    return nil
  }
}
