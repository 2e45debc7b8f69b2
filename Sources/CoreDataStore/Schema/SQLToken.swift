/// A token of an SQL text, by SQLite's rules.
package struct SQLToken: Equatable {
  /// The kinds of tokens.
  package enum Kind: Equatable {
    /// A word without quotes: a keyword or a name.
    case word
    /// A name in double quotes, backticks or brackets.
    case quotedName
    /// A text in single quotes, which SQLite takes for a name where a table's is expected.
    case text
    case number
    case sign
  }

  /// The kind of token.
  package let kind: Kind
  /// A word as written, a name or string without its quotes, or a sign.
  package let text: String
  /// A word in capitals; empty for everything else.
  package let keyword: String

  /// Classifies a token of ``SQLTokens``.
  init(_ token: String) {
    switch token.utf8.first {
    case UInt8(ascii: "\""), UInt8(ascii: "`"):
      self.init(.quotedName, Self.unquoted(token))
    case UInt8(ascii: "["):
      self.init(.quotedName, String(token.dropFirst().dropLast()))
    case UInt8(ascii: "'"):
      self.init(.text, Self.unquoted(token))
    case .some(0x30...0x39):
      self.init(.number, token)
    case let first? where first >= 0x80 || first == 0x5F || first == 0x24 || Self.isLetter(first):
      self.init(.word, token)
    default:
      self.init(.sign, token)
    }
  }

  private init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
    keyword = kind == .word ? text.uppercased() : ""
  }

  /// The tokens of a text; comments and blanks are left out.
  package static func all(in sql: String) -> [SQLToken] {
    var tokens = SQLTokens(sql)
    var list: [SQLToken] = []
    while let token = tokens.next() { list.append(SQLToken(token)) }
    return list
  }

  /// Whether it can be a name.
  package var isName: Bool { kind == .word || kind == .quotedName }

  /// Whether it is the given sign.
  package func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  /// The text between two quotes; a doubled quote means one quote.
  private static func unquoted(_ token: String) -> String {
    guard let quote = token.first, token.count >= 2 else { return token }
    return String(token.dropFirst().dropLast())
      .replacing("\(quote)\(quote)", with: String(quote))
  }
}
